import type { PasswordAttempt, RedisConnection } from '@zonewright/accounts';
import { sourceNetwork } from '@zonewright/service-kit';
import { type RateLimiterAbstract, RateLimiterRes } from 'rate-limiter-flexible';
import type { LoginOrder } from './login-order.js';
import { createLimiter, hashKey, rateLimited } from './rate-limits.js';
import type { IdentitySettings } from './settings.js';

/** Parties whose slot and limits an attempt uses: a source address, or a returning client (returning-clients.ts). */
interface AttemptParties {
  readonly party: string;
  readonly budget: string;
}

/** Verifies passwords in their source's slot, within the limit of wrong ones. */
export class PasswordAttempts {
  readonly #budget: FailedPasswordBudget;
  readonly #order: LoginOrder;

  constructor(budget: FailedPasswordBudget, order: LoginOrder) {
    this.#budget = budget;
    this.#order = order;
  }

  /**
   * Whether the password is correct.
   *
   * @throws ServiceError (rate-limited) if the limit is reached, Overload if no slot is free in time
   */
  async make(
    { subject, verify }: PasswordAttempt,
    { party, budget }: AttemptParties,
  ): Promise<boolean> {
    await this.#budget.check(subject, budget);
    return await this.#order.hash(party, async () => {
      // The attempt is counted only now: a counter lasts for an hour, so attempts that are never hashed must not be
      // counted.
      await this.#budget.take(subject, budget);
      const isRight = await verify();
      if (isRight) await this.#budget.giveBack(subject, budget);
      return isRight;
    });
  }
}

const HOUR_SECONDS = 3600;

/**
 * Limits wrong passwords for one account, from one network or one returning client, per hour. The account itself is
 * never locked: its owner can log in from elsewhere. `subject` is the account's id, or the given name if there is no
 * such account. Unknown names count, too, so that the limit does not reveal which accounts exist.
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

  /** @throws ServiceError (rate-limited) if the limit is reached */
  async check(subject: string, source: string): Promise<void> {
    const used = await this.#limiter?.get(keyOf(subject, source));
    if (this.#limiter === undefined || used === null || used === undefined) return;
    if (used.consumedPoints >= this.#limiter.points) throw rateLimited(used.msBeforeNext, 'HOUR');
  }

  /**
   * Counts an attempt before the password is verified, so that concurrent attempts count, too. @throws ServiceError
   * (rate-limited) if the limit is reached
   */
  async take(subject: string, source: string): Promise<void> {
    try {
      await this.#limiter?.consume(keyOf(subject, source));
    } catch (error) {
      throw error instanceof RateLimiterRes ? rateLimited(error.msBeforeNext, 'HOUR') : error;
    }
  }

  /** Removes the attempt from the count, because the password was correct. */
  async giveBack(subject: string, source: string): Promise<void> {
    await this.#limiter?.reward(keyOf(subject, source));
  }
}

function keyOf(subject: string, source: string): string {
  return hashKey(JSON.stringify([subject, sourceNetwork(source)]));
}
