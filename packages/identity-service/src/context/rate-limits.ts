import { createHash } from 'node:crypto';
import type { RedisConnection } from '@zonewright/accounts';
import { BoundedMap, ServiceError, sourceNetwork } from '@zonewright/service-kit';
import { KEY_TAG } from '@zonewright/service-kit/redis';
import {
  type RateLimiterAbstract,
  RateLimiterMemory,
  RateLimiterRedis,
  RateLimiterRes,
} from 'rate-limiter-flexible';
import type { IdentitySettings } from './settings.js';

export type RateLimitName = keyof IdentitySettings['limits']['perSecond'];

/** Details of a rate-limited error for the response. */
export interface RateLimitDetails {
  readonly retryAfterSeconds: number;
  /** Text in the response: "per SECOND". */
  readonly window: 'SECOND' | 'HOUR';
}

interface LimiterOptions {
  readonly redis: RedisConnection | undefined;
  readonly name: string;
  readonly points: number;
  readonly seconds: number;
}

/** Maximum number of networks that are cached as having reached their limit. Above it, the counter is queried again. */
const MAX_EXHAUSTED = 20_000;

/**
 * Counters of the limits of Identity s8. With Redis they are exact across replicas. While Redis is unavailable, each
 * process counts separately with the same limits, so that limits always apply.
 */
export class RateLimits {
  readonly #limiters: ReadonlyMap<RateLimitName, RateLimiterAbstract> | undefined;
  /** Time by performance.now() until which a network is rejected, by operation and network. */
  readonly #exhausted = new BoundedMap<string, number>(MAX_EXHAUSTED);

  constructor(limits: IdentitySettings['limits'], redis: RedisConnection | undefined) {
    if (!limits.enabled) return;
    const names = Object.keys(limits.perSecond) as RateLimitName[];
    this.#limiters = new Map(
      names.map((name) => [
        name,
        createLimiter({ redis, name, points: limits.perSecond[name], seconds: 1 }),
      ]),
    );
  }

  /** Counts a request of a known caller. @throws ServiceError (rate-limited) */
  async consume(name: RateLimitName, key: string): Promise<void> {
    const used = await this.#use(name, `caller:${key}`);
    if (used !== undefined) throw rateLimited(used.msBeforeNext, 'SECOND');
  }

  /** Counts a request without valid credentials for its network. @throws ServiceError (rate-limited) */
  async consumeForSource(name: RateLimitName, source: string): Promise<void> {
    this.checkSource(name, source);
    const network = sourceNetwork(source);
    const used = await this.#use(name, `source:${network}`);
    if (used === undefined) return;
    this.#exhausted.set(`${name} ${network}`, performance.now() + used.msBeforeNext);
    throw rateLimited(used.msBeforeNext, 'SECOND');
  }

  /**
   * Rejects a network that has reached its limit of failures in this second. It uses only the memory of this process,
   * so that it can be the first check. Failures at other replicas count after the first failure here.
   *
   * @throws ServiceError (rate-limited)
   */
  checkSource(name: RateLimitName, source: string): void {
    const key = `${name} ${sourceNetwork(source)}`;
    const left = (this.#exhausted.get(key) ?? 0) - performance.now();
    if (left > 0) throw rateLimited(left, 'SECOND');
    this.#exhausted.delete(key);
  }

  /** @returns the counter if the limit is reached */
  async #use(name: RateLimitName, key: string): Promise<RateLimiterRes | undefined> {
    try {
      await this.#limiters?.get(name)?.consume(hashKey(key));
      return undefined;
    } catch (error) {
      if (error instanceof RateLimiterRes) return error;
      throw error;
    }
  }
}

/** Creates a counter in Redis, with one in this process as its fallback. */
export function createLimiter({
  redis,
  name,
  points,
  seconds,
}: LimiterOptions): RateLimiterAbstract {
  const memory = new RateLimiterMemory({ points, duration: seconds, keyPrefix: name });
  if (redis === undefined) return memory;
  return new RateLimiterRedis({
    storeClient: redis.client,
    rejectIfRedisNotReady: true,
    keyPrefix: redis.name(`${KEY_TAG}limit:${name}`),
    points,
    duration: seconds,
    insuranceLimiter: memory,
  });
}

/**
 * Returns the hash of a key, which contains names that callers chose. Hashes have one length, and keep user names out
 * of Redis.
 */
export function hashKey(key: string): string {
  return createHash('sha256').update(key).digest('base64url');
}

export function rateLimited(
  msBeforeNext: number,
  window: RateLimitDetails['window'],
): ServiceError {
  const details: RateLimitDetails = {
    retryAfterSeconds: Math.max(1, Math.ceil(msBeforeNext / 1000)),
    window,
  };
  return new ServiceError('rate-limited', 'This request was rate-limited', { details });
}
