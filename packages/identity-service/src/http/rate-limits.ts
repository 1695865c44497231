import { createHash } from 'node:crypto';
import {
  type RateLimiterAbstract,
  RateLimiterMemory,
  RateLimiterRedis,
  RateLimiterRes,
} from 'rate-limiter-flexible';
import { ServiceError } from '@zonewright/service-kit';
import type { RedisConnection } from '../infrastructure/redis-connection.js';
import type { IdentitySettings } from '../settings.js';

export type RateLimitName = keyof IdentitySettings['limits']['perSecond'];

/** What a rate-limited error carries for the answer. */
export interface RateLimitDetails {
  readonly retryAfterSeconds: number;
  /** As the answer spells it: "per SECOND". */
  readonly window: 'SECOND' | 'HOUR';
}

interface LimiterOptions {
  readonly redis: RedisConnection | undefined;
  readonly name: string;
  readonly points: number;
  readonly seconds: number;
}

/**
 * Counters of the limits of Identity s8. With Redis they are exact across replicas; while it is away each
 * process counts for itself with the same numbers, so that limits are never open.
 */
export class RateLimits {
  readonly #limiters: ReadonlyMap<RateLimitName, RateLimiterAbstract> | undefined;

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
    await this.#consume(name, `caller:${key}`);
  }

  /** Counts a request that has no valid credentials. @throws ServiceError (rate-limited) */
  async consumeForSource(name: RateLimitName, source: string): Promise<void> {
    await this.#consume(name, `source:${source}`);
  }

  /** Refuses a source that has used up its failures of this second, before any costly work. */
  async checkSource(name: RateLimitName, source: string): Promise<void> {
    const limiter = this.#limiters?.get(name);
    if (limiter === undefined) return;
    const used = await limiter.get(hashKey(`source:${source}`));
    if (used !== null && used.consumedPoints >= limiter.points) throw rateLimited(used, 'SECOND');
  }

  async #consume(name: RateLimitName, key: string): Promise<void> {
    const limiter = this.#limiters?.get(name);
    if (limiter === undefined) return;
    try {
      await limiter.consume(hashKey(key));
    } catch (error) {
      throw error instanceof RateLimiterRes ? rateLimited(error, 'SECOND') : error;
    }
  }
}

/** A counter in Redis with one in this process behind it. */
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
    keyPrefix: redis.name(`limit:${name}`),
    points,
    duration: seconds,
    insuranceLimiter: memory,
  });
}

/** Keys hold names that callers chose: hashed they have one length, and Redis holds no user names. */
export function hashKey(key: string): string {
  return createHash('sha256').update(key).digest('base64url');
}

export function rateLimited(
  used: RateLimiterRes,
  window: RateLimitDetails['window'],
): ServiceError {
  const details: RateLimitDetails = {
    retryAfterSeconds: Math.max(1, Math.ceil(used.msBeforeNext / 1000)),
    window,
  };
  return new ServiceError('rate-limited', 'This request was rate-limited', { details });
}
