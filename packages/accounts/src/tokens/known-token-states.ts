import { BoundedMap } from '@zonewright/service-kit';
import type { TokenState } from './token-state-store.js';

/**
 * Time for which an answer of Redis is valid. A replica that changes a token waits as long before it reports success,
 * so that no replica uses the old state afterwards.
 */
export const PROOF_LIFETIME_MS = 25;
/** Age at which the proof is renewed in the background, so that requests do not wait under load. */
const RENEW_AFTER_MS = 8;
/** Cache size, about 10 MB. The oldest states are removed first. */
const MAX_STATES = 50_000;

/** Entry in the list of changes that means "any token may have changed". */
export const ANY_TOKEN = '*';

/** Token changes that Redis reports, starting with the one named by `since`. */
export interface ChangeReport {
  /** Time of the query by performance.now(). */
  readonly askedAt: number;
  readonly since: string | undefined;
  readonly changes: readonly TokenChange[];
  /** Whether there may be more changes. */
  readonly isCut: boolean;
}

export interface TokenChange {
  readonly id: string;
  /** Name of the changed token, or ANY_TOKEN. */
  readonly jti: string;
}

/**
 * Token states that this process has read from Redis, with a proof that none of them has changed. Each change has an
 * entry in an ordered list in Redis. While the newest entry that is known here still exists, the entries after it
 * contain all later changes. The proof does not depend on messages. Without a fresh proof, no state is used.
 */
export class CachedTokenStates {
  readonly #states = new BoundedMap<string, TokenState>(MAX_STATES);
  #newestChange: string | undefined;
  #provenAt = -Infinity;
  #renewedAt = -Infinity;

  /** Newest change that is known here. The next query starts with it. */
  get newestChange(): string | undefined {
    return this.#newestChange;
  }

  find(jti: string, now = performance.now()): TokenState | undefined {
    return now - this.#provenAt < PROOF_LIFETIME_MS ? this.#states.get(jti) : undefined;
  }

  /** Whether the proof should be renewed. The states may still be used until then. */
  takeRenewal(now = performance.now()): boolean {
    if (now - this.#provenAt < RENEW_AFTER_MS || now - this.#renewedAt < RENEW_AFTER_MS) {
      return false;
    }
    this.#renewedAt = now;
    return true;
  }

  /** Applies changes, and the states that were read after the changes. */
  update(report: ChangeReport, states: ReadonlyMap<string, TokenState>): void {
    const { askedAt, since, changes, isCut } = report;
    const isUnbroken = since === undefined || changes[0]?.id === since;
    const newest = changes.at(-1);
    if (!isUnbroken || isCut || newest === undefined) {
      this.forget();
      return;
    }
    for (const { id, jti } of changes) {
      if (id === since) continue;
      if (jti === ANY_TOKEN) this.#states.clear();
      else this.#states.delete(jti);
    }
    this.#newestChange = newest.id;
    this.#provenAt = Math.max(this.#provenAt, askedAt);
    for (const [jti, state] of states) this.#states.set(jti, state);
  }

  forget(): void {
    this.#states.clear();
    this.#newestChange = undefined;
    this.#provenAt = -Infinity;
  }
}
