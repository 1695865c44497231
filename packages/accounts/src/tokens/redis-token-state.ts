import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { KEY_TAG } from '@zonewright/service-kit/redis';
import type { RedisConnection } from '../shared/redis-connection.js';
import {
  ANY_TOKEN,
  type ChangeReport,
  CachedTokenStates,
  PROOF_LIFETIME_MS,
} from './known-token-states.js';
import { STATE_RETENTION_MS } from './token-claims.js';
import {
  decodeTokenState,
  encodeTokenState,
  stateOf,
  type TokenState,
  type TokenStateRow,
} from './token-state-store.js';

/** Message on the revocation channel for "forget everything you know about tokens". */
const ALL_TOKENS = '*';
/** Precedes the name of a token in such a message. */
const NAME_PREFIX = 'jti:';

/** A replica that has missed more changes of tokens reads all known states again. */
const KEPT_CHANGES = 10_000;
/** Changes that are read at a time. */
const READ_CHANGES = 200;

/**
 * Two replicas may change one token at the same moment. The state begins with its version, and an older one never
 * replaces a newer one.
 */
const SET_IF_NEWER = `
local function set_if_newer(key, state, life)
  local current = redis.call('get', key)
  if not current or current < state then
    redis.call('set', key, state, 'PX', life)
  end
end`;

/**
 * KEYS the tokens, ARGV the new state of each and its life in ms, alternating. A command for each would cost five times
 * the CPU here.
 */
const SET_ALL = `${SET_IF_NEWER}
for place, key in ipairs(KEYS) do set_if_newer(key, ARGV[2 * place - 1], ARGV[2 * place]) end
return 1`;

/** New change: KEYS[1] the token, KEYS[2] the list of changes, ARGV state, life, and the name of the token. */
const CHANGE = `${SET_IF_NEWER}
redis.call('xadd', KEYS[2], 'MAXLEN', '~', ${KEPT_CHANGES}, '*', 'jti', ARGV[3])
set_if_newer(KEYS[1], ARGV[1], ARGV[2])
return 1`;

/**
 * KEYS[1] marker of this refill, KEYS[2] the readiness marker, KEYS[3] the list of changes, ARGV[1] the server's id. If
 * Redis was emptied since the refill began, the refill's marker is gone, and states may be gone, too: then the
 * readiness marker must not be set. A refill may contain changes that no replica knows.
 */
const FINISH_REFILL = `
if redis.call('del', KEYS[1]) == 0 then return 0 end
redis.call('xadd', KEYS[3], 'MAXLEN', '~', ${KEPT_CHANGES}, '*', 'jti', '${ANY_TOKEN}')
redis.call('set', KEYS[2], ARGV[1])
return 1`;

/** A refill that takes longer has failed. */
const REFILL_MARKER_MS = 10 * 60 * 1000;

/** Id, then names and values, alternating. */
type StreamEntry = [id: string, members: string[]];

/** Tokens that are asked about together. */
interface Question {
  readonly jtis: Set<string>;
  readonly states: Promise<ReadonlyMap<string, TokenState> | undefined>;
}

/**
 * State of tokens in Redis. The readiness marker says that Redis has everything that PostgreSQL knows, and contains the
 * id of the server on which it was written. Without it an absent key means nothing. All keys share a hash tag, since
 * marker and state must be read in one step.
 */
export class RedisTokenState {
  readonly #redis: RedisConnection;
  readonly #sentinel: string;
  readonly #changes: string;
  readonly #channel: string;
  #known = new CachedTokenStates();
  #pending: Question | undefined;

  constructor(redis: RedisConnection) {
    this.#redis = redis;
    this.#sentinel = redis.name(`${KEY_TAG}complete`);
    this.#changes = redis.name(`${KEY_TAG}changes`);
    this.#channel = redis.name('revocations');
  }

  /** Returns the state of a token by its names, if it was read before and is proven unchanged. */
  findKnown(names: readonly string[]): TokenState | undefined {
    const now = performance.now();
    const state = stateOf(names, (name) => this.#known.find(name, now));
    // The request that waits for the next answer gets the reason of a failure.
    if (state !== undefined && this.#known.takeRenewal(now)) {
      this.find(names).catch(() => undefined);
    }
    return state;
  }

  /** Forgets what was read, and what is being read. */
  forget(): void {
    this.#known = new CachedTokenStates();
  }

  /**
   * Returns undefined if Redis cannot tell. Questions of one turn of the event loop are sent together at its end. A
   * later question waits for the next batch, so no answer is older than its question.
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
    // States that are forgotten meanwhile stay forgotten.
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

  /** Reads the changes first: later changes are read with the states, or by the next question. */
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
   * Writes changes that PostgreSQL has committed. When this resolves, no replica that asks this Redis uses the old
   * states.
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

  /** Marks the beginning of a refill; the mark disappears if Redis is emptied. Nothing counts before its end. */
  async beginRefill(id: string): Promise<void> {
    await this.dropSentinel();
    await this.#redis.client.set(this.#marker(id), '1', 'PX', REFILL_MARKER_MS);
  }

  /** Declares the refill complete, if Redis was not emptied and is still the same server. */
  async finishRefill(id: string, serverId: string): Promise<void> {
    const keys = [this.#marker(id), this.#sentinel, this.#changes];
    await this.#redis.client.eval(FINISH_REFILL, keys.length, ...keys, serverId);
  }

  /** Removes the readiness marker. */
  async dropSentinel(): Promise<void> {
    await this.#redis.client.del(this.#sentinel);
  }

  /** Tells subscribers to forget a token, by its hash, for those that do not know names of tokens. */
  async publishToken(tokenId: string): Promise<void> {
    await this.#publish(createHash('sha256').update(tokenId).digest('hex'));
  }

  /** Tells subscribers to forget the token of this name, and those derived from it. */
  async publishName(name: string): Promise<void> {
    await this.#publish(NAME_PREFIX + name);
  }

  /** Tells subscribers to forget everything they know. */
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
  return Math.max(1, expiresAt.getTime() - now.getTime() + STATE_RETENTION_MS);
}

/** @throws the error of the first command of a pipeline that failed. */
function resultsOf(results: [error: Error | null, result: unknown][] | null): unknown[] {
  if (results === null) throw new Error('Redis did not run a pipeline');
  return results.map(([error, result]) => {
    if (error !== null) throw error;
    return result;
  });
}
