import { BoundedMap } from '@zonewright/service-kit';
import type { TokenState } from './token-state-store.js';

/**
 * For how long after a question to Redis its answer may be believed without asking again. A replica that changes a
 * token waits as long before it says so: whoever has been told knows that no replica still believes what was before.
 */
export const PROOF_LIFETIME_MS = 25;
/** From this age on the proof is renewed beside the requests, so that under load none of them waits. */
const RENEW_AFTER_MS = 8;
/** Some 10 MB. The oldest go first. */
const MAX_STATES = 50_000;

/** Stands in the list of changes for "anything may have changed". */
export const ANY_TOKEN = '*';

/** What Redis said about the changes of tokens since the one named by `since`, that one included. */
export interface ChangeReport {
  /** When it was asked, by performance.now(). */
  readonly askedAt: number;
  readonly since: string | undefined;
  readonly changes: readonly TokenChange[];
  /** Whether there may be more changes than these. */
  readonly isCut: boolean;
}

export interface TokenChange {
  readonly id: string;
  /** Whose state changed; ANY_TOKEN: of any. */
  readonly jti: string;
}

/**
 * The states of tokens that this process has read from Redis, with the proof that none of them has changed since.
 * Each change has an entry in a list in Redis, in order; as long as the newest entry known here is still there, those
 * behind it name all that has changed. Nothing here needs a message to arrive: without a fresh proof, which is
 * asked for and not waited for, nothing is known.
 */
export class KnownTokenStates {
  readonly #states = new BoundedMap<string, TokenState>(MAX_STATES);
  #newestChange: string | undefined;
  #provenAt = -Infinity;
  #renewedAt = -Infinity;

  /** The newest change that is known here; what is asked next begins with it. */
  get newestChange(): string | undefined {
    return this.#newestChange;
  }

  find(jti: string, now = performance.now()): TokenState | undefined {
    return now - this.#provenAt < PROOF_LIFETIME_MS ? this.#states.get(jti) : undefined;
  }

  /** Whether it is time to ask again, though what is known may still be believed. */
  takeRenewal(now = performance.now()): boolean {
    if (now - this.#provenAt < RENEW_AFTER_MS || now - this.#renewedAt < RENEW_AFTER_MS) {
      return false;
    }
    this.#renewedAt = now;
    return true;
  }

  /** Takes in what has changed, and the states that were read after these changes. */
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
