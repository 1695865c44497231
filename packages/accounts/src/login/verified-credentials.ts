import { createHmac, randomBytes } from 'node:crypto';
import { BoundedMap, type Clock } from '@zonewright/service-kit';
import type { ChangeWatch } from '../shared/change-watch.js';
import type { VerifiedKey } from './credential-verifier.js';
import type { Credentials } from './credentials.js';

/** How long a password that was right stays right without being hashed again. */
const LIFETIME_MS = 60_000;
const MAX_ENTRIES = 20_000;

/** What was found out about credentials. */
interface VerifiedAccount {
  readonly accountId: string;
  /** Of the account, when the credentials were right: a later one may have others. */
  readonly credentialGeneration: number;
  /** Undefined: it was a password. */
  readonly accessKey: VerifiedKey | undefined;
  /** VerifiedCredentials.generation from before the verification. */
  readonly generation: number;
  /** When the credentials themselves end. */
  readonly validTo: Date | undefined;
}

interface Entry extends VerifiedAccount {
  readonly rememberedAt: number;
  readonly expiresAt: number;
}

/**
 * Credentials that were right a moment ago, so that a client that logs in again and again costs one password
 * hash a minute. It keeps MACs under a key that never leaves this process, believes nothing older than the last
 * announced change, and knows no wrong credentials: guessing is never made cheaper.
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

  /** Taken before the credentials are verified, and handed back to `remember`. */
  get generation(): number {
    return this.#watch.credentialsGeneration;
  }

  /** What these credentials are known to be. */
  find(credentials: Credentials): VerifiedAccount | undefined {
    if (!this.#watch.isListening) return undefined;
    const entry = this.#entries.get(this.#mac(credentials));
    if (entry?.generation !== this.generation) return undefined;
    const now = this.#clock.now();
    // A clock that was set back must not make a minute of it hours.
    return entry.rememberedAt <= now && now < entry.expiresAt ? entry : undefined;
  }

  remember(credentials: Credentials, verified: VerifiedAccount): void {
    const mac = this.#mac(credentials);
    const rememberedAt = this.#clock.now();
    const expiresAt = Math.min(rememberedAt + LIFETIME_MS, verified.validTo?.getTime() ?? Infinity);
    this.#entries.set(mac, { ...verified, rememberedAt, expiresAt });
  }

  /** For changes that this process makes itself: their announcement takes a moment to arrive. */
  clear(): void {
    this.#entries.clear();
  }

  #mac(credentials: Credentials): string {
    return createHmac('sha256', this.#key).update(JSON.stringify(credentials)).digest('base64url');
  }
}
