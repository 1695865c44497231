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

/** Sources that are known to have used up their failures; more than that many are asked about anew. */
const MAX_EXHAUSTED = 20_000;

/**
 * Counters of the limits of Identity s8. With Redis they are exact across replicas; while it is away each
 * process counts for itself with the same numbers, so that limits are never open.
 */
export class RateLimits {
  readonly #limiters: ReadonlyMap<RateLimitName, RateLimiterAbstract> | undefined;
  /** By operation and network: until when, by performance.now(), nothing more is taken from there. */
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
   * Refuses a source that has used up its failures of this second. It looks at nothing but this process' memory, so that
   * it can come before all else: other replicas' failures show with the first one here.
   *
   * @throws ServiceError (rate-limited)
   */
  checkSource(name: RateLimitName, source: string): void {
    const key = `${name} ${sourceNetwork(source)}`;
    const left = (this.#exhausted.get(key) ?? 0) - performance.now();
    if (left > 0) throw rateLimited(left, 'SECOND');
    this.#exhausted.delete(key);
  }

  /** @returns the counter if there was nothing left of it. */
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
    keyPrefix: redis.name(`${KEY_TAG}limit:${name}`),
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
  msBeforeNext: number,
  window: RateLimitDetails['window'],
): ServiceError {
  const details: RateLimitDetails = {
    retryAfterSeconds: Math.max(1, Math.ceil(msBeforeNext / 1000)),
    window,
  };
  return new ServiceError('rate-limited', 'This request was rate-limited', { details });
}
