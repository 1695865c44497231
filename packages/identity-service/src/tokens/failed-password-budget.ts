import { type RateLimiterAbstract, RateLimiterRes } from 'rate-limiter-flexible';
import { sourceNetwork } from '../http/source-network.js';
import { createLimiter, hashKey, rateLimited } from '../http/rate-limits.js';
import type { RedisConnection } from '../infrastructure/redis-connection.js';
import type { IdentitySettings } from '../settings.js';

const HOUR_SECONDS = 3600;

/**
 * How many wrong passwords may be tried for one account from one network in an hour. The account itself is never
 * locked: its owner logs in from elsewhere meanwhile. It counts for names that do not exist as well, so
 * that it tells nothing.
 */
export class FailedPasswordBudget {
  readonly #limiter: RateLimiterAbstract | undefined;

  constructor(limits: IdentitySettings['limits'], redis: RedisConnection | undefined) {
    if (!limits.enabled) return;
    this.#limiter = createLimiter({
      redis,
      name: 'failed-passwords',
      points: limits.failedPasswordsPerHour,
      seconds: HOUR_SECONDS,
    });
  }

  /** @throws ServiceError (rate-limited) when nothing is left. */
  async check(accountName: string, source: string): Promise<void> {
    const used = await this.#limiter?.get(keyOf(accountName, source));
    if (this.#limiter === undefined || used === null || used === undefined) return;
    if (used.consumedPoints >= this.#limiter.points) throw rateLimited(used, 'HOUR');
  }

  /**
   * Takes one attempt before the password is looked at, so that attempts made at the same moment are counted,
   * too. @throws ServiceError (rate-limited) when nothing is left.
   */
  async take(accountName: string, source: string): Promise<void> {
    try {
      await this.#limiter?.consume(keyOf(accountName, source));
    } catch (error) {
      throw error instanceof RateLimiterRes ? rateLimited(error, 'HOUR') : error;
    }
  }

  /** The attempt turned out right. */
  async giveBack(accountName: string, source: string): Promise<void> {
    await this.#limiter?.reward(keyOf(accountName, source));
  }
}

function keyOf(accountName: string, source: string): string {
  return hashKey(JSON.stringify([accountName, sourceNetwork(source)]));
}
