import { randomUUID } from 'node:crypto';
import { CHANNELS, type Database } from '@zonewright/database';
import type { Clock, Logger } from '@zonewright/service-kit';
import { type ChangeWatch, TOKEN_STATE_NOTICE } from '../shared/change-watch.js';
import type { RedisConnection } from '../shared/redis-connection.js';
import { RedisTokenState } from './redis-token-state.js';
import type { TokenClaims } from './token-claims.js';
import {
  findTokenStates,
  insertRevocation,
  listLiveTokenStates,
  notifyTokenState,
  stateOf,
  type TokenState,
  type TokenStateRow,
  toTokenState,
  upsertScope,
} from './token-state-store.js';

interface TokenStatesDependencies {
  readonly db: Database;
  readonly watch: ChangeWatch;
  readonly redis: RedisConnection | undefined;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Page size. Redis finishes a page long before the command times out, even on a busy machine. */
const REFILL_PAGE = 500;
/** Maximum number of announced changes. Above it, all states are read again. */
const MAX_HEARD = 10_000;

/**
 * States of tokens that were rescoped or revoked. PostgreSQL is written first and is authoritative. Redis answers
 * requests while it has all states. If Redis fails, PostgreSQL answers; if both fail, the request gets 503. A revoked
 * token never becomes valid again.
 */
export class TokenStates {
  readonly #dependencies: TokenStatesDependencies;
  readonly #redis: RedisTokenState | undefined;
  #isRefilling = false;
  /** Names of tokens whose changes PostgreSQL has announced. Redis may not have these changes. */
  readonly #heard = new Set<string>();
  /** Names in `#heard` that are being written to Redis. */
  #told: ReadonlySet<string> = new Set();
  /** Number of changes that Redis may have missed. */
  #missedChanges = 0;
  #healedChanges = 0;

  constructor(dependencies: TokenStatesDependencies) {
    this.#dependencies = dependencies;
    const { redis, watch } = dependencies;
    if (redis === undefined) return;
    this.#redis = new RedisTokenState(redis);
    redis.onReady(() => {
      this.#announce((state) => state.publishAll());
    });
    watch.onChange((table, name) => {
      if (table === TOKEN_STATE_NOTICE && name !== undefined) this.#hear(name);
      else if (table === TOKEN_STATE_NOTICE || table === undefined) this.#distrustRedis();
      if (table !== TOKEN_STATE_NOTICE && table !== 'access_keys') {
        this.#announce((state) => state.publishAll());
      }
    });
  }

  /**
   * Run of the Redis to which this process has published all changes that it has received. Undefined if it may have
   * missed one.
   */
  get publishedAt(): string | undefined {
    const { redis, watch } = this.#dependencies;
    return watch.isListening ? redis?.runId : undefined;
  }

  /** Returns the state of a genuine token by its names, if it is cached. */
  findKnown(names: readonly string[]): TokenState | undefined {
    return this.#mayAskRedis(names) ? this.#redis?.findKnown(names) : undefined;
  }

  /** Returns the state of a genuine token by its names. */
  async find(names: readonly string[]): Promise<TokenState> {
    return (
      this.findKnown(names) ??
      (await this.#findInRedis(names)) ??
      (await this.#findInDatabase(names))
    );
  }

  /** Revokes a token, and all tokens derived from it, permanently. Returns false if it was already revoked. */
  async revoke(tokenId: string, claims: TokenClaims): Promise<boolean> {
    const { db, clock } = this.#dependencies;
    const row = await insertRevocation(db, claims, new Date(clock.now()));
    // A second revocation may follow one that failed before Redis was written.
    const revoked = row ?? (await findTokenStates(db, [claims.lineage.end]))[0];
    if (revoked !== undefined) await this.#spread(tokenId, revoked);
    return row !== undefined;
  }

  /** Replaces the scope of a token. Returns false if it is revoked. */
  async rescope(
    tokenId: string,
    claims: TokenClaims,
    tenantId: string | undefined,
  ): Promise<boolean> {
    const row = await upsertScope(this.#dependencies.db, claims, tenantId);
    if (row !== undefined) await this.#spread(tokenId, row);
    return row !== undefined;
  }

  /** Notifies subscribers of the tokens to discard. A subscriber without a connection to Redis caches nothing. */
  #announce(publish: (redis: RedisTokenState) => Promise<void>): void {
    if (this.#redis === undefined) return;
    publish(this.#redis).catch((error: unknown) => {
      this.#dependencies.log.warn(
        { err: error },
        'a change of token states could not be published',
      );
    });
  }

  async #findInDatabase(names: readonly string[]): Promise<TokenState> {
    const rows = await findTokenStates(this.#dependencies.db, names);
    const byName = new Map(rows.map((row) => [row.jti, row]));
    return stateOf(names, (name) => toTokenState(byName.get(name))) ?? toTokenState(undefined);
  }

  async #findInRedis(names: readonly string[]): Promise<TokenState | undefined> {
    if (this.#redis === undefined || !this.#dependencies.watch.isListening) return undefined;
    if (this.#isNews(names)) return undefined;
    try {
      const state = this.#mayAskRedis(names) ? await this.#redis.find(names) : undefined;
      // Redis may not have changes that were announced during the query.
      if (this.#isNews(names)) return undefined;
      if (state === undefined) this.#startRefill();
      return state;
    } catch (error) {
      this.#dependencies.log.warn({ err: error }, 'reading token states from PostgreSQL');
      return undefined;
    }
  }

  /**
   * Whether Redis may be used. Without a listening connection, this process would not learn that Redis missed a change.
   */
  #mayAskRedis(names: readonly string[]): boolean {
    return (
      this.#missedChanges === this.#healedChanges &&
      this.#dependencies.watch.isListening &&
      !this.#isNews(names)
    );
  }

  #isNews(names: readonly string[]): boolean {
    if (this.#heard.size === 0 && this.#told.size === 0) return false;
    return names.some((name) => this.#heard.has(name) || this.#told.has(name));
  }

  /**
   * Handles the announcement of a changed token. The Redis of this replica need not be the one that was written: a
   * replaced primary may not have the change. Therefore each replica writes to its own Redis. Until then PostgreSQL
   * answers.
   */
  #hear(name: string): void {
    if (this.#redis === undefined) return;
    this.#heard.add(name);
    if (this.#heard.size > MAX_HEARD) {
      this.#heard.clear();
      this.#distrustRedis();
    } else if (this.#told.size === 0) {
      void this.#tellRedis(this.#redis);
    }
  }

  async #tellRedis(redis: RedisTokenState): Promise<void> {
    const { db, clock, log } = this.#dependencies;
    while (this.#heard.size > 0) {
      this.#told = new Set([...this.#heard].slice(0, REFILL_PAGE));
      for (const name of this.#told) {
        this.#heard.delete(name);
        // The change is announced at once: later requests to this replica get the new state, and each replica
        // announces it.
        this.#announce((state) => state.publishName(name));
      }
      try {
        const rows = await findTokenStates(db, [...this.#told]);
        await redis.change(rows, new Date(clock.now()));
      } catch (error) {
        log.warn(
          { err: error },
          'Redis missed a change of a token; loading all token states again',
        );
        this.#distrustRedis();
      }
      this.#told = new Set();
    }
  }

  /** Writes the state that PostgreSQL has committed to Redis, then notifies subscribers that cache the old state. */
  async #spread(tokenId: string, row: TokenStateRow): Promise<void> {
    if (this.#redis === undefined) return;
    const { db, clock, log } = this.#dependencies;
    try {
      await this.#redis.change([row], new Date(clock.now()));
    } catch (error) {
      log.warn(
        { err: error },
        'Redis missed a change of a token; using PostgreSQL until Redis has all token states again',
      );
      this.#missedChanges += 1;
      // Other replicas may still use Redis, which now lacks a change.
      await notifyTokenState(db, CHANNELS.identity, TOKEN_STATE_NOTICE);
    }
    this.#announce((state) => state.publishToken(tokenId));
    this.#announce((state) => state.publishName(row.jti));
  }

  #distrustRedis(): void {
    this.#missedChanges += 1;
    this.#redis?.forget();
    this.#redis?.dropSentinel().catch(() => undefined);
  }

  #startRefill(): void {
    const serverId = this.#dependencies.redis?.serverId;
    if (serverId === undefined || this.#redis === undefined || this.#isRefilling) return;
    this.#isRefilling = true;
    void this.#fill(this.#redis, serverId)
      .catch((error: unknown) => {
        this.#dependencies.log.warn(
          { err: error },
          'token states could not be loaded into Redis; trying again',
        );
      })
      .finally(() => {
        this.#isRefilling = false;
      });
  }

  async #fill(redis: RedisTokenState, serverId: string): Promise<void> {
    const { db, clock, log } = this.#dependencies;
    const id = randomUUID();
    const missedChanges = this.#missedChanges;
    await redis.beginRefill(id);
    const now = new Date(clock.now());
    let count = 0;
    let after = '';
    for (;;) {
      const rows = await listLiveTokenStates(db, { after, now, limit: REFILL_PAGE });
      const last = rows.at(-1);
      if (last === undefined) break;
      await redis.setAll(rows, now);
      count += rows.length;
      after = last.jti;
    }
    await redis.finishRefill(id, serverId);
    redis.forget();
    this.#healedChanges = missedChanges;
    log.info({ count }, 'Redis has all token states again');
  }
}
