import type { Writable } from 'node:stream';
import { hasRules, mayUseZone } from '@zonewright/zones';
import { ServiceError } from '@zonewright/service-kit';
import type { HeldToken } from '../access/token-validator.js';

/**
 * Maximum size of unsent events of a client. A client that reads too slowly is disconnected, and can resume from its
 * position.
 */
const MAX_WAITING_OCTETS = 65_536;
/** Time after which a client that reads nothing is disconnected. */
const STILL_MS = 30_000;
const MAX_WITHHELD = 100;
const HEARTBEAT_MS = 15_000;
/** The time for which a stream may continue while its token cannot be validated. */
const UNVALIDATED_MS = 15_000;

export type EndReason = 'client' | 'token' | 'slow' | 'stopped';

/** The part of a zone's events that a caller may see: all, only the serial as the zone itself shows it, or nothing. */
export type View = 'all' | 'serial' | 'nothing';

/** A client that listens, from its admission on. */
export class EventStream {
  readonly #holdToken: () => Promise<HeldToken>;
  #held: HeldToken;
  /** Time of the next validation, by performance.now(). */
  #validateAt = 0;
  #isValidating = false;
  /** Undefined until the response has begun and the missed events have been sent. */
  #client: Writable | undefined;
  #sentAt = performance.now();
  #stillSince: number | undefined;
  readonly #withheld: (Buffer | string)[] = [];
  #endedBy: EndReason = 'client';

  constructor(held: HeldToken, holdToken: () => Promise<HeldToken>) {
    this.#held = held;
    this.#holdToken = holdToken;
    this.#scheduleValidation();
  }

  get endedBy(): EndReason {
    return this.#endedBy;
  }

  /** If false, events must be kept until the stream opens. */
  get isOpen(): boolean {
    return this.#client !== undefined;
  }

  viewOf(zoneName: string): View {
    const { caller } = this.#held;
    if (!mayUseZone(caller, { name: zoneName })) return 'nothing';
    return hasRules(caller) ? 'serial' : 'all';
  }

  /** Starts sending all further events to the client immediately. */
  open(client: Writable): void {
    this.#client = client;
  }

  send(events: Buffer | string): void {
    if (this.#client === undefined || this.#client.writableEnded) return;
    if (!this.#held.isUnchanged()) {
      this.#withhold(events);
      return;
    }
    this.#client.write(events);
    this.#sentAt = performance.now();
    if (this.#client.writableLength > MAX_WAITING_OCTETS) this.end('slow');
  }

  /** @param goodbye a last text that is sent */
  end(reason: EndReason, goodbye?: string): void {
    if (this.#client === undefined || this.#client.writableEnded) return;
    this.#endedBy = reason;
    if (reason === 'slow') this.#client.destroy();
    else this.#client.end(goodbye);
  }

  /** Checks the stream at intervals. @returns whether its token must be validated */
  tend(now: number, clock: number, heartbeat: () => string): boolean {
    if (this.#client === undefined) return false;
    if (this.#client.writableLength === 0) this.#stillSince = undefined;
    else this.#stillSince ??= now;
    if (this.#stillSince !== undefined && now - this.#stillSince > STILL_MS) this.end('slow');
    else if (clock >= this.#held.expiresAt) this.end('token');
    else if (now - this.#sentAt > HEARTBEAT_MS) this.send(heartbeat());
    return !this.#isValidating && (now >= this.#validateAt || !this.#held.isUnchanged());
  }

  /** Keeps events until the token has been validated. */
  #withhold(events: Buffer | string): void {
    this.#withheld.push(events);
    if (this.#withheld.length > MAX_WITHHELD) this.end('slow');
    else if (!this.#isValidating) void this.validate();
  }

  /** Validates the token; a token that is no longer valid ends the stream. Never rejects. */
  async validate(): Promise<void> {
    this.#isValidating = true;
    try {
      this.#held = await this.#holdToken();
      this.#scheduleValidation();
      for (const events of this.#withheld.splice(0)) this.send(events);
    } catch (error) {
      const isRefused =
        error instanceof ServiceError && ['unauthenticated', 'forbidden'].includes(error.kind);
      const isLate = performance.now() > this.#validateAt + UNVALIDATED_MS;
      if (isRefused || isLate) this.end('token');
    }
    this.#isValidating = false;
  }

  /** Spreads the validations of streams that began together. */
  #scheduleValidation(): void {
    this.#validateAt = performance.now() + this.#held.goodForMs * (0.5 + Math.random() / 2);
  }
}
