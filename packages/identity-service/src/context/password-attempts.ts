import type { PasswordAttempt, RedisConnection } from '@zonewright/accounts';
import { sourceNetwork } from '@zonewright/service-kit';
import { type RateLimiterAbstract, RateLimiterRes } from 'rate-limiter-flexible';
import type { LoginOrder } from './login-order.js';
import { createLimiter, hashKey, rateLimited } from './rate-limits.js';
import type { IdentitySettings } from './settings.js';

/** Has passwords looked at: within the budget of wrong ones, and when it is their source's turn. */
export class PasswordAttempts {
  readonly #budget: FailedPasswordBudget;
  readonly #order: LoginOrder;

  constructor(budget: FailedPasswordBudget, order: LoginOrder) {
    this.#budget = budget;
    this.#order = order;
  }

  /**
   * Whether the password is right.
   *
   * @throws ServiceError (rate-limited) when the budget is used up, Overload when the turn does not come in time.
   */
  async make({ subject, verify }: PasswordAttempt, source: string): Promise<boolean> {
    await this.#budget.check(subject, source);
    return await this.#order.hash(source, async () => {
      // Not before: what is taken keeps a counter for an hour, and no more may be taken than can be hashed.
      await this.#budget.take(subject, source);
      const isRight = await verify();
      if (isRight) await this.#budget.giveBack(subject, source);
      return isRight;
    });
  }
}

const HOUR_SECONDS = 3600;

/**
 * How many wrong passwords may be tried for one account from one network in an hour. The account itself is never
 * locked: its owner logs in from elsewhere meanwhile. `subject` is the account's id, whatever it was called by, or what
 * was called that does not exist: those are counted as well, so that it tells nothing.
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
  async check(subject: string, source: string): Promise<void> {
    const used = await this.#limiter?.get(keyOf(subject, source));
    if (this.#limiter === undefined || used === null || used === undefined) return;
    if (used.consumedPoints >= this.#limiter.points) throw rateLimited(used.msBeforeNext, 'HOUR');
  }

  /**
   * Takes one attempt before the password is looked at, so that attempts made at the same moment are counted,
   * too. @throws ServiceError (rate-limited) when nothing is left.
   */
  async take(subject: string, source: string): Promise<void> {
    try {
      await this.#limiter?.consume(keyOf(subject, source));
    } catch (error) {
      throw error instanceof RateLimiterRes ? rateLimited(error.msBeforeNext, 'HOUR') : error;
    }
  }

  /** The attempt turned out right. */
  async giveBack(subject: string, source: string): Promise<void> {
    await this.#limiter?.reward(keyOf(subject, source));
  }
}

function keyOf(subject: string, source: string): string {
  return hashKey(JSON.stringify([subject, sourceNetwork(source)]));
}
