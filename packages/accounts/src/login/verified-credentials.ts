import { createHmac, randomBytes } from 'node:crypto';
import { BoundedMap, type Clock } from '@zonewright/service-kit';
import type { ChangeWatch } from '../shared/change-watch.js';
import type { VerifiedKey } from './credential-verifier.js';
import type { Credentials } from './credentials.js';

/** Time for which a correct password is accepted without hashing it again, in milliseconds. */
const LIFETIME_MS = 60_000;
const MAX_ENTRIES = 20_000;

/** Result of verifying credentials. */
interface VerifiedAccount {
  readonly accountId: string;
  /** Generation of the account's credentials at the time of the verification. */
  readonly credentialGeneration: number;
  /** Undefined if a password was used. */
  readonly accessKey: VerifiedKey | undefined;
  /** Value of VerifiedCredentials.generation before the verification. */
  readonly generation: number;
  /** Time at which the credentials expire. */
  readonly validTo: Date | undefined;
}

interface Entry extends VerifiedAccount {
  readonly rememberedAt: number;
  readonly expiresAt: number;
}

/**
 * Cache of recently verified credentials, so that a client that logs in repeatedly costs one password hash a minute.
 * They are stored as MACs under a key that never leaves this process, and are removed by the next announced change.
 * Wrong credentials are not cached, so guessing does not become cheaper.
 */
export class VerifiedCredentials {
  readonly #key = randomBytes(32);
  readonly #entries = new BoundedMap<string, Entry>(MAX_ENTRIES);
  readonly #watch: ChangeWatch;
  readonly #clock: Clock;

  constructor(watch: ChangeWatch, clock: Clock) {
    this.#watch = watch;
    this.#clock = clock;
  }

  /** Generation to read before the verification, and to pass to `remember`. */
  get generation(): number {
    return this.#watch.credentialsGeneration;
  }

  /** Returns the result for credentials that were verified recently. */
  find(credentials: Credentials): VerifiedAccount | undefined {
    if (!this.#watch.isListening) return undefined;
    const entry = this.#entries.get(this.#mac(credentials));
    if (entry?.generation !== this.generation) return undefined;
    const now = this.#clock.now();
    // The entry is not used if the clock was set back.
    return entry.rememberedAt <= now && now < entry.expiresAt ? entry : undefined;
  }

  remember(credentials: Credentials, verified: VerifiedAccount): void {
    const mac = this.#mac(credentials);
    const rememberedAt = this.#clock.now();
    const expiresAt = Math.min(rememberedAt + LIFETIME_MS, verified.validTo?.getTime() ?? Infinity);
    this.#entries.set(mac, { ...verified, rememberedAt, expiresAt });
  }

  /** Removes all entries after a change by this process, whose announcement takes a moment to arrive. */
  clear(): void {
    this.#entries.clear();
  }

  #mac(credentials: Credentials): string {
    return createHmac('sha256', this.#key).update(JSON.stringify(credentials)).digest('base64url');
  }
}
