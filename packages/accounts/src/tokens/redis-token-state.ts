import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { KEY_TAG } from '@zonewright/service-kit/redis';
import type { RedisConnection } from '../shared/redis-connection.js';
import {
  ANY_TOKEN,
  type ChangeReport,
  KnownTokenStates,
  PROOF_LIFETIME_MS,
} from './known-token-states.js';
import { STATE_KEPT_MS } from './token-claims.js';
import {
  decodeTokenState,
  encodeTokenState,
  stateOf,
  type TokenState,
  type TokenStateRow,
} from './token-state-store.js';

/** Message on the revocation channel for "forget everything you know about tokens". */
const ALL_TOKENS = '*';
/** Before the name of a token in such a message. */
const NAME_PREFIX = 'jti:';

/** A replica that has not asked for so many changes of tokens reads all that it knows anew. */
const KEPT_CHANGES = 10_000;
/** So many changes are read at a time. */
const READ_CHANGES = 200;

/**
 * Two replicas may change one token at the same moment; the state begins with its version, and an older one never replaces
 * a newer one.
 */
const SET_IF_NEWER = `
local function set_if_newer(key, state, life)
  local current = redis.call('get', key)
  if not current or current < state then
    redis.call('set', key, state, 'PX', life)
  end
end`;

/** KEYS the tokens, ARGV the new state of each and its life in ms, in turns. A command for each would cost five times the CPU here. */
const SET_ALL = `${SET_IF_NEWER}
for place, key in ipairs(KEYS) do set_if_newer(key, ARGV[2 * place - 1], ARGV[2 * place]) end
return 1`;

/** A change that was just made: KEYS[1] the token, KEYS[2] the list of changes, ARGV state, life, and whose state it is. */
const CHANGE = `${SET_IF_NEWER}
redis.call('xadd', KEYS[2], 'MAXLEN', '~', ${KEPT_CHANGES}, '*', 'jti', ARGV[3])
set_if_newer(KEYS[1], ARGV[1], ARGV[2])
return 1`;

/**
 * KEYS[1] marker of this refill, KEYS[2] the sentinel, KEYS[3] the list of changes, ARGV[1] the server's id. If Redis
 * was emptied since the refill began the marker is gone, and so may be states that had been written: then the
 * sentinel must not be set. A refill may have brought changes that nobody had heard of.
 */
const FINISH_REFILL = `
if redis.call('del', KEYS[1]) == 0 then return 0 end
redis.call('xadd', KEYS[3], 'MAXLEN', '~', ${KEPT_CHANGES}, '*', 'jti', '${ANY_TOKEN}')
redis.call('set', KEYS[2], ARGV[1])
return 1`;

/** A refill that takes longer has failed. */
const REFILL_MARKER_MS = 10 * 60 * 1000;

/** Id, then names and values in turns. */
type StreamEntry = [id: string, members: string[]];

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
  readonly #changes: string;
  readonly #channel: string;
  #known = new KnownTokenStates();
  #pending: Question | undefined;

  constructor(redis: RedisConnection) {
    this.#redis = redis;
    this.#sentinel = redis.name(`${KEY_TAG}complete`);
    this.#changes = redis.name(`${KEY_TAG}changes`);
    this.#channel = redis.name('revocations');
  }

  /** The state of a token by its names, if it was read before and has been shown to be the same since. */
  findKnown(names: readonly string[]): TokenState | undefined {
    const now = performance.now();
    const state = stateOf(names, (name) => this.#known.find(name, now));
    // Whoever waits for the next answer finds the reason of a failure.
    if (state !== undefined && this.#known.takeRenewal(now)) {
      this.find(names).catch(() => undefined);
    }
    return state;
  }

  /** Forgets what was read, and what is being read. */
  forget(): void {
    this.#known = new KnownTokenStates();
  }

  /**
   * Undefined: Redis cannot tell. Whatever is asked in one turn of the event loop is sent to Redis together, at its
   * end; a question that comes later waits for the next sending, so no answer is older than its question.
   */
  async find(names: readonly string[]): Promise<TokenState | undefined> {
    this.#pending ??= this.#startQuestion();
    const { jtis, states } = this.#pending;
    for (const name of names) jtis.add(name);
    const found = await states;
    return found && stateOf(names, (name) => found.get(name));
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
    const { serverId } = this.#redis;
    if (serverId === undefined) return undefined;
    // What is forgotten meanwhile stays forgotten.
    const known = this.#known;
    const since = known.newestChange;
    const askedAt = performance.now();
    const [changes, [sentinel, ...texts]] = await this.#read(since, jtis);
    if (sentinel !== serverId) {
      known.forget();
      return undefined;
    }
    const states = new Map(jtis.map((jti, at) => [jti, decodeTokenState(texts[at] ?? undefined)]));
    known.update({ askedAt, since, ...changes }, states);
    return states;
  }

  /** The changes first: what changes after they were read is read with the states, or by the next question. */
  async #read(
    since: string | undefined,
    jtis: readonly string[],
  ): Promise<[Pick<ChangeReport, 'changes' | 'isCut'>, (string | null)[]]> {
    const pipeline = this.#redis.client.pipeline();
    if (since === undefined) pipeline.xrevrange(this.#changes, '+', '-', 'COUNT', 1);
    else pipeline.xrange(this.#changes, since, '+', 'COUNT', READ_CHANGES);
    pipeline.mget(this.#sentinel, ...jtis.map((jti) => this.#key(jti)));
    const [entries, values] = resultsOf(await pipeline.exec()) as [
      StreamEntry[],
      (string | null)[],
    ];
    const changes = entries.map(([id, [, jti = ANY_TOKEN]]) => ({ id, jti }));
    return [{ changes, isCut: entries.length === READ_CHANGES }, values];
  }

  /**
   * Writes changes that PostgreSQL has committed. When this resolves no replica that asks this Redis believes any longer
   * what was before.
   */
  async change(rows: readonly TokenStateRow[], now: Date): Promise<void> {
    const pipeline = this.#redis.client.pipeline();
    for (const row of rows) {
      const state = [encodeTokenState(row), lifeOf(row, now), row.jti];
      pipeline.eval(CHANGE, 2, this.#key(row.jti), this.#changes, ...state);
    }
    resultsOf(await pipeline.exec());
    await waitUntil(performance.now() + PROOF_LIFETIME_MS);
  }

  async setAll(rows: readonly TokenStateRow[], now: Date): Promise<void> {
    const keys = rows.map(({ jti }) => this.#key(jti));
    const states = rows.flatMap((row) => [encodeTokenState(row), lifeOf(row, now)]);
    await this.#redis.client.eval(SET_ALL, keys.length, ...keys, ...states);
  }

  /** Marks the beginning of a refill; the mark goes when Redis is emptied. Until its end nothing counts. */
  async beginRefill(id: string): Promise<void> {
    await this.dropSentinel();
    await this.#redis.client.set(this.#marker(id), '1', 'PX', REFILL_MARKER_MS);
  }

  /** Declares the refill complete, if Redis was not emptied and is still the same server. */
  async finishRefill(id: string, serverId: string): Promise<void> {
    const keys = [this.#marker(id), this.#sentinel, this.#changes];
    await this.#redis.client.eval(FINISH_REFILL, keys.length, ...keys, serverId);
  }

  /** Withdraws the statement that everything is here. */
  async dropSentinel(): Promise<void> {
    await this.#redis.client.del(this.#sentinel);
  }

  /** Tells subscribers to forget a token, by its hash; for those that know no names of tokens. */
  async publishToken(tokenId: string): Promise<void> {
    await this.#publish(createHash('sha256').update(tokenId).digest('hex'));
  }

  /** Tells subscribers to forget the token of this name, and those that hang on it. */
  async publishName(name: string): Promise<void> {
    await this.#publish(NAME_PREFIX + name);
  }

  /** Tells subscribers to forget all that they know. */
  async publishAll(): Promise<void> {
    await this.#publish(ALL_TOKENS);
  }

  async #publish(message: string): Promise<void> {
    await this.#redis.client.publish(this.#channel, message);
  }

  #key(jti: string): string {
    return this.#redis.name(KEY_TAG + jti);
  }

  #marker(id: string): string {
    return this.#redis.name(`${KEY_TAG}refill:${id}`);
  }
}

async function waitUntil(time: number): Promise<void> {
  // Timers may be a moment early.
  for (let rest = time - performance.now(); rest > 0; rest = time - performance.now()) {
    await delay(Math.ceil(rest));
  }
}

function lifeOf({ expiresAt }: TokenStateRow, now: Date): number {
  return Math.max(1, expiresAt.getTime() - now.getTime() + STATE_KEPT_MS);
}

/** @throws what the first failed command of a pipeline failed with. */
function resultsOf(results: [error: Error | null, result: unknown][] | null): unknown[] {
  if (results === null) throw new Error('Redis did not run a pipeline');
  return results.map(([error, result]) => {
    if (error !== null) throw error;
    return result;
  });
}
