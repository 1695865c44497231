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

/** Message on the revocation channel that means "any token may have changed". */
const ALL_TOKENS = '*';
/** Prefix of token names in messages. */
const NAME_PREFIX = 'jti:';

/** Maximum length of the list of changes. A replica that has missed more reads all cached states again. */
const KEPT_CHANGES = 10_000;
/** Number of changes that are read at a time. */
const READ_CHANGES = 200;

/**
 * Script that writes a state unless a newer one exists: two replicas may change one token at the same time. The state
 * begins with its version.
 */
const SET_IF_NEWER = `
local function set_if_newer(key, state, life)
  local current = redis.call('get', key)
  if not current or current < state then
    redis.call('set', key, state, 'PX', life)
  end
end`;

/**
 * Script with the tokens in KEYS, and the state and life in ms of each token in ARGV. Separate commands would need five
 * times the CPU time here.
 */
const SET_ALL = `${SET_IF_NEWER}
for place, key in ipairs(KEYS) do set_if_newer(key, ARGV[2 * place - 1], ARGV[2 * place]) end
return 1`;

/**
 * Script for a new change. KEYS[1] is the token, KEYS[2] the list of changes; ARGV contains state, life, and the name
 * of the token.
 */
const CHANGE = `${SET_IF_NEWER}
redis.call('xadd', KEYS[2], 'MAXLEN', '~', ${KEPT_CHANGES}, '*', 'jti', ARGV[3])
set_if_newer(KEYS[1], ARGV[1], ARGV[2])
return 1`;

/**
 * Script for the end of a refill. KEYS[1] is the marker of this refill, KEYS[2] the readiness marker, KEYS[3] the list
 * of changes, and ARGV[1] the server's id. If Redis was emptied during the refill, its marker is missing and states may
 * be missing, too. The readiness marker must not be set then. A refill may contain changes that no replica has seen.
 */
const FINISH_REFILL = `
if redis.call('del', KEYS[1]) == 0 then return 0 end
redis.call('xadd', KEYS[3], 'MAXLEN', '~', ${KEPT_CHANGES}, '*', 'jti', '${ANY_TOKEN}')
redis.call('set', KEYS[2], ARGV[1])
return 1`;

/** Time after which a refill counts as failed. */
const REFILL_MARKER_MS = 10 * 60 * 1000;

/** Id, followed by alternating names and values. */
type StreamEntry = [id: string, members: string[]];

/** Tokens of one query. */
interface Question {
  readonly jtis: Set<string>;
  readonly states: Promise<ReadonlyMap<string, TokenState> | undefined>;
}

/**
 * State of tokens in Redis. The readiness marker exists if Redis has all states of PostgreSQL, and contains the id of
 * the server on which it was written. Without the marker, a missing key has no meaning. All keys share a hash tag,
 * since marker and state must be read in one command.
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

  /** Returns the state of a token by its names, if it was read earlier and is proven unchanged. */
  findKnown(names: readonly string[]): TokenState | undefined {
    const now = performance.now();
    const state = stateOf(names, (name) => this.#known.find(name, now));
    // A failure of the renewal is reported to the next request that waits for an answer.
    if (state !== undefined && this.#known.takeRenewal(now)) {
      this.find(names).catch(() => undefined);
    }
    return state;
  }

  /** Discards the cached states, including those that are being read. */
  forget(): void {
    this.#known = new CachedTokenStates();
  }

  /**
   * Returns undefined if Redis has no answer. Queries of one turn of the event loop are sent together at its end. A
   * later query waits for the next batch, so no answer is older than its query.
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
    // States that are discarded in the meantime are not cached again.
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

  /** Reads the changes first. Later changes are included in the states, or in the next query. */
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
   * Writes changes that PostgreSQL has committed. When the promise resolves, no replica that uses this Redis uses the
   * old states.
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

  /**
   * Marks the beginning of a refill. The marker disappears if Redis is emptied. The states are not used before the
   * refill ends.
   */
  async beginRefill(id: string): Promise<void> {
    await this.dropSentinel();
    await this.#redis.client.set(this.#marker(id), '1', 'PX', REFILL_MARKER_MS);
  }

  /** Completes the refill, if Redis was not emptied and is still the same server. */
  async finishRefill(id: string, serverId: string): Promise<void> {
    const keys = [this.#marker(id), this.#sentinel, this.#changes];
    await this.#redis.client.eval(FINISH_REFILL, keys.length, ...keys, serverId);
  }

  /** Removes the readiness marker. */
  async dropSentinel(): Promise<void> {
    await this.#redis.client.del(this.#sentinel);
  }

  /**
   * Makes subscribers discard a token. The message contains its hash, for subscribers that do not know names of tokens.
   */
  async publishToken(tokenId: string): Promise<void> {
    await this.#publish(createHash('sha256').update(tokenId).digest('hex'));
  }

  /** Makes subscribers discard the token with this name, and those derived from it. */
  async publishName(name: string): Promise<void> {
    await this.#publish(NAME_PREFIX + name);
  }

  /** Makes subscribers discard all tokens. */
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
  // Timers may fire a moment early.
  for (let rest = time - performance.now(); rest > 0; rest = time - performance.now()) {
    await delay(Math.ceil(rest));
  }
}

function lifeOf({ expiresAt }: TokenStateRow, now: Date): number {
  return Math.max(1, expiresAt.getTime() - now.getTime() + STATE_RETENTION_MS);
}

/** @throws the error of the first failed command of a pipeline */
function resultsOf(results: [error: Error | null, result: unknown][] | null): unknown[] {
  if (results === null) throw new Error('Redis did not execute a pipeline');
  return results.map(([error, result]) => {
    if (error !== null) throw error;
    return result;
  });
}
