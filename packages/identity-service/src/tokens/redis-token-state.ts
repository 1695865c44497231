import { createHash } from 'node:crypto';
import type { RedisConnection } from '../infrastructure/redis-connection.js';
import { decodeTokenState, encodeTokenState, type TokenState } from './token-state-code.js';
import type { TokenStateRow } from './token-state-store.js';

/** Message on the revocation channel for "forget everything you know about tokens". */
export const ALL_TOKENS = '*';

/**
 * KEYS[1] state of one token, ARGV[1] the new state, ARGV[2] its life in ms. Two replicas may change one token at
 * the same moment; the state begins with its version, and an older one never replaces a newer one.
 */
const SET_IF_NEWER = `
local current = redis.call('get', KEYS[1])
if not current or current < ARGV[1] then
  redis.call('set', KEYS[1], ARGV[1], 'PX', ARGV[2])
end
return 1`;

/**
 * KEYS[1] marker of this refill, KEYS[2] the sentinel, ARGV[1] the server's id. If Redis was emptied since the refill
 * began the marker is gone, and so may be states that had been written: then the sentinel must not be set.
 */
const FINISH_REFILL = `
if redis.call('del', KEYS[1]) == 0 then return 0 end
redis.call('set', KEYS[2], ARGV[1])
return 1`;

/** A refill that takes longer has failed. */
const REFILL_MARKER_MS = 10 * 60 * 1000;

/** Tokens that are asked about together. */
interface Question {
  readonly jtis: Set<string>;
  readonly states: Promise<ReadonlyMap<string, TokenState> | undefined>;
}

/**
 * The state of tokens in Redis. The sentinel says "all that PostgreSQL knows is here" and carries the id of the
 * server that it was written on; without it an absent key means nothing. All keys share a hash tag, since
 * sentinel and state must be read in one step.
 */
export class RedisTokenState {
  readonly #redis: RedisConnection;
  readonly #sentinel: string;
  readonly #channel: string;
  #pending: Question | undefined;

  constructor(redis: RedisConnection) {
    this.#redis = redis;
    this.#sentinel = redis.name('{token-state}:complete');
    this.#channel = redis.name('revocations');
  }

  /**
   * Undefined: Redis cannot tell. Whatever is asked in one turn of the event loop is sent to Redis together, at its
   * end; a question that comes later waits for the next sending, so no answer is older than its question.
   */
  async find(jti: string): Promise<TokenState | undefined> {
    this.#pending ??= this.#startQuestion();
    const { jtis, states } = this.#pending;
    jtis.add(jti);
    return (await states)?.get(jti);
  }

  #startQuestion(): Question {
    const jtis = new Set<string>();
    const states = new Promise<void>((resolve) => setImmediate(resolve)).then(() => {
      this.#pending = undefined;
      return this.#ask([...jtis]);
    });
    return { jtis, states };
  }

  async #ask(jtis: readonly string[]): Promise<ReadonlyMap<string, TokenState> | undefined> {
    const { serverId, client } = this.#redis;
    if (serverId === undefined) return undefined;
    const keys = jtis.map((jti) => this.#key(jti));
    const [sentinel, ...states] = await client.mget(this.#sentinel, ...keys);
    if (sentinel !== serverId) return undefined;
    return new Map(jtis.map((jti, at) => [jti, decodeTokenState(states[at] ?? undefined)]));
  }

  async set(row: TokenStateRow, now: Date): Promise<void> {
    await this.setAll([row], now);
  }

  async setAll(rows: readonly TokenStateRow[], now: Date): Promise<void> {
    const pipeline = this.#redis.client.pipeline();
    for (const row of rows) {
      const life = Math.max(1, row.expiresAt.getTime() - now.getTime());
      pipeline.eval(SET_IF_NEWER, 1, this.#key(row.jti), encodeTokenState(row), life);
    }
    const results = (await pipeline.exec()) ?? [];
    for (const [error] of results) if (error) throw error;
  }

  /** Marks the beginning of a refill; the mark goes when Redis is emptied. Until its end nothing counts. */
  async beginRefill(id: string): Promise<void> {
    await this.dropSentinel();
    await this.#redis.client.set(this.#marker(id), '1', 'PX', REFILL_MARKER_MS);
  }

  /** Declares the refill complete, if Redis was not emptied and is still the same server. */
  async finishRefill(id: string, serverId: string): Promise<void> {
    await this.#redis.client.eval(FINISH_REFILL, 2, this.#marker(id), this.#sentinel, serverId);
  }

  /** Withdraws the statement that everything is here. */
  async dropSentinel(): Promise<void> {
    await this.#redis.client.del(this.#sentinel);
  }

  /** Tells subscribers that the state of a token changed, naming it by its hash. */
  async publish(tokenId: string): Promise<void> {
    const message =
      tokenId === ALL_TOKENS ? ALL_TOKENS : createHash('sha256').update(tokenId).digest('hex');
    await this.#redis.client.publish(this.#channel, message);
  }

  #key(jti: string): string {
    return this.#redis.name(`{token-state}:${jti}`);
  }

  #marker(id: string): string {
    return this.#redis.name(`{token-state}:refill:${id}`);
  }
}
