import { hash } from 'node:crypto';
import type { Clock } from '@zonewright/service-kit';
import type { Caller } from './caller.js';
import type { ValidatedToken } from './token-body.js';
import type { TokenValidator } from './token-validator.js';

/** Asks the identity service each time; see IdentityClient. */
interface TokenSource {
  validate(token: string): Promise<ValidatedToken>;
}

/** How long a positive answer may stand even if every message about it is lost (design 2). */
const LIFETIME_MS = 5_000;
/** Some 20 MB. The oldest go first. */
const MAX_ENTRIES = 50_000;

interface Entry {
  readonly caller: Caller;
  readonly goodUntil: number;
}

/**
 * Joins equal questions that are under way and remembers positive answers for a few seconds, but only while
 * revocations are being heard. Keys are SHA-256 of the token: what the revocation channel carries, and no
 * token stays in memory.
 *
 *     question ──▶ #entries (fresh?) ──▶ #underWay (same?) ──▶ identity service
 *     revocation ──▶ drops the entry, and the question under way, whose answer may be from before it
 */
export class CachedValidator implements TokenValidator {
  readonly #source: TokenSource;
  readonly #clock: Clock;
  readonly #entries = new Map<string, Entry>();
  readonly #underWay = new Map<string, Promise<ValidatedToken>>();
  #remembers = false;

  constructor(source: TokenSource, clock: Clock) {
    this.#source = source;
    this.#clock = clock;
  }

  findKnown(token: string): Caller | undefined {
    return this.#remembers ? this.#find(keyOf(token)) : undefined;
  }

  async validate(token: string): Promise<Caller> {
    const key = keyOf(token);
    const known = this.#find(key);
    if (known !== undefined) return known;
    const { caller } = await (this.#underWay.get(key) ?? this.#ask(key, token));
    return caller;
  }

  get isRemembering(): boolean {
    return this.#remembers;
  }

  /** Whether revocations are heard from now on. What was remembered before is dropped either way. */
  setRemembering(remembers: boolean): void {
    this.#remembers = remembers;
    this.forgetAll();
  }

  /** Forgets one token, by the hex SHA-256 of its id. */
  forget(key: string): void {
    this.#entries.delete(key);
    this.#underWay.delete(key);
  }

  forgetAll(): void {
    this.#entries.clear();
    this.#underWay.clear();
  }

  #find(key: string): Caller | undefined {
    const entry = this.#entries.get(key);
    return entry !== undefined && this.#clock.now() < entry.goodUntil ? entry.caller : undefined;
  }

  async #ask(key: string, token: string): Promise<ValidatedToken> {
    const answer = this.#source.validate(token);
    this.#underWay.set(key, answer);
    try {
      const validated = await answer;
      if (this.#underWay.get(key) === answer) this.#remember(key, validated);
      return validated;
    } finally {
      if (this.#underWay.get(key) === answer) this.#underWay.delete(key);
    }
  }

  #remember(key: string, { caller, expiresAt }: ValidatedToken): void {
    if (!this.#remembers) return;
    this.#entries.delete(key);
    this.#entries.set(key, {
      caller,
      goodUntil: Math.min(this.#clock.now() + LIFETIME_MS, expiresAt),
    });
    if (this.#entries.size > MAX_ENTRIES) {
      const oldest = this.#entries.keys().next();
      if (oldest.done !== true) this.#entries.delete(oldest.value);
    }
  }
}

function keyOf(token: string): string {
  return hash('sha256', token, 'hex');
}
