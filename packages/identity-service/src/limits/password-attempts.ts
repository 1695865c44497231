import type { LoginOrder } from './login-order.js';
import type { PasswordAttempt } from '@zonewright/accounts';
import type { FailedPasswordBudget } from './failed-password-budget.js';

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
