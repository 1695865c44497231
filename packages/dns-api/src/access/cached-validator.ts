import { hash } from 'node:crypto';
import { type FairSlots, BoundedMap, type Clock } from '@zonewright/service-kit';
import type { Caller } from '@zonewright/zones';
import type { ValidatedToken } from './token-validator.js';
import type { HeldToken, TokenValidator } from './token-validator.js';

/** Queries the identity service each time; see IdentityClient. */
interface TokenSource {
  validate(token: string): Promise<ValidatedToken>;
}

/** Limits concurrent queries by their source. */
type Places = Pick<FairSlots, 'run'>;

/** Maximum time for which a positive result is used, even if every message about it is lost. */
const LIFETIME_MS = 5_000;
/**
 * The times for which a long-lived connection may continue without a new validation: if revocations are received, and
 * if not.
 */
const HELD_MS = 60_000;
const HELD_UNHEARD_MS = 15_000;
/** The maximum number of cached results, which take about 20 MB. The oldest are removed first. */
const MAX_ENTRIES = 50_000;

/** Maximum number of cached names. Above it the whole cache is dropped. */
const MAX_CHANGED = 10_000;

interface Entry {
  readonly caller: Caller;
  readonly names: readonly string[];
  /** The number of changed names at the time of the query. */
  readonly askedAt: number;
  readonly expiresAt: number;
  readonly goodFrom: number;
  readonly goodUntil: number;
}

/**
 * Joins equal validations in progress and caches positive results for a few seconds, but only while this process is
 * subscribed to the revocation channel of the identity service. Keys are SHA-256 of the token, so that no token stays
 * in memory. A revocation names something that tokens depend on. Results from before the revocation are dropped.
 *
 * Invalid tokens of one client must not delay others. Each source has a few validations at a time. So has each tenant
 * whose token was valid at the last validation, whatever else comes from its address.
 *
 *     validation ──▶ #entries (fresh?) ──▶ #underWay (same?) ──▶ identity service
 *     revocation ──▶ drops the entries, and validations in progress, whose results may be older
 */
export class CachedValidator implements TokenValidator {
  readonly #source: TokenSource;
  readonly #clock: Clock;
  readonly #places: Places;
  readonly #entries = new BoundedMap<string, Entry>(MAX_ENTRIES);
  readonly #underWay = new Map<string, Promise<ValidatedToken>>();
  /** The names of tokens that have changed, each with the total number of changes at that time. */
  readonly #changed = new Map<string, number>();
  #changes = 0;
  /** The number of times that the whole cache was dropped. */
  #forgotten = 0;
  /** The Redis run whose revocations are received; undefined if none are received. */
  #heardAt: string | undefined;

  constructor(source: TokenSource, clock: Clock, places: Places) {
    this.#source = source;
    this.#clock = clock;
    this.#places = places;
  }

  findKnown(token: string): Caller | undefined {
    return this.isRemembering ? this.#find(keyOf(token))?.caller : undefined;
  }

  async validate(token: string, source: string): Promise<Caller> {
    const key = keyOf(token);
    const known = this.#find(key);
    if (known !== undefined) return known.caller;
    const { caller } = await (this.#underWay.get(key) ?? this.#ask(key, token, source));
    return caller;
  }

  async hold(token: string, source: string): Promise<HeldToken> {
    const key = keyOf(token);
    const known = this.#find(key);
    const [askedAt, forgotten] = [known?.askedAt ?? this.#changes, this.#forgotten];
    const { caller, names, expiresAt } =
      known ?? (await (this.#underWay.get(key) ?? this.#ask(key, token, source)));
    const entry = { names: [...names, key], askedAt };
    return {
      caller,
      expiresAt,
      isUnchanged: () => this.#forgotten === forgotten && this.#isUnchanged(entry),
      goodForMs: this.isRemembering ? HELD_MS : HELD_UNHEARD_MS,
    };
  }

  get isRemembering(): boolean {
    return this.#heardAt !== undefined;
  }

  /**
   * Sets the Redis run whose revocations are received from now on. Undefined if none are received. Drops the cache in
   * either case.
   */
  setHearing(heardAt: string | undefined): void {
    this.#heardAt = heardAt;
    this.forgetAll();
  }

  /** Drops one token from the cache, by the hex SHA-256 of its id. */
  forget(key: string): void {
    this.#entries.delete(key);
    this.#underWay.delete(key);
    this.#note(key);
  }

  /** Drops all tokens that depend on this name. */
  forgetName(name: string): void {
    this.#note(name);
    // The tokens of these validations are not known yet.
    this.#underWay.clear();
  }

  #note(name: string): void {
    if (this.#changed.size >= MAX_CHANGED) this.forgetAll();
    this.#changes += 1;
    this.#changed.set(name, this.#changes);
  }

  forgetAll(): void {
    this.#forgotten += 1;
    this.#entries.clear();
    this.#underWay.clear();
    this.#changed.clear();
  }

  /** Returns a current entry. A clock that was set back must not extend five seconds to hours. */
  #find(key: string): Entry | undefined {
    const entry = this.#entries.get(key);
    const now = this.#clock.now();
    const isGood =
      entry !== undefined &&
      now >= entry.goodFrom &&
      now < entry.goodUntil &&
      this.#isUnchanged(entry);
    return isGood ? entry : undefined;
  }

  #isUnchanged({ names, askedAt }: Pick<Entry, 'names' | 'askedAt'>): boolean {
    return (
      this.#changed.size === 0 || names.every((name) => (this.#changed.get(name) ?? 0) <= askedAt)
    );
  }

  async #ask(key: string, token: string, source: string): Promise<ValidatedToken> {
    const askedAt = this.#changes;
    const owner = this.#entries.get(key)?.caller.tenantId ?? `from ${source}`;
    const answer = this.#places.run(owner, () => this.#source.validate(token));
    this.#underWay.set(key, answer);
    try {
      const validated = await answer;
      if (this.#underWay.get(key) === answer) this.#remember(key, validated, askedAt);
      return validated;
    } finally {
      if (this.#underWay.get(key) === answer) this.#underWay.delete(key);
    }
  }

  #remember(key: string, validated: ValidatedToken, askedAt: number): void {
    const { caller, names, revocationsAt, expiresAt } = validated;
    if (revocationsAt === undefined || revocationsAt !== this.#heardAt) return;
    const goodFrom = this.#clock.now();
    this.#entries.set(key, {
      caller,
      names,
      askedAt,
      expiresAt,
      goodFrom,
      goodUntil: Math.min(goodFrom + LIFETIME_MS, expiresAt),
    });
  }
}

function keyOf(token: string): string {
  return hash('sha256', token, 'hex');
}
