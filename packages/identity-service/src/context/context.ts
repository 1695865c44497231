import type { Logger } from '@zonewright/service-kit';
import type { ReturningClients } from './returning-clients.js';
import type { LoginOrder } from './login-order.js';
import type { RateLimits } from './rate-limits.js';
import type { IdentitySettings } from './settings.js';
import type { FailedPasswordBudget, PasswordAttempts } from './password-attempts.js';
import type { TokenServices } from '@zonewright/accounts';
import type { TokenAnswers } from '../representation/token-answers.js';

/** Objects that use cases work with. It contains no logic. */
export interface Context extends TokenServices {
  readonly settings: IdentitySettings;
  readonly log: Logger;
  readonly tokenAnswers: TokenAnswers;
  readonly failedPasswords: FailedPasswordBudget;
  readonly returningClients: ReturningClients;
  readonly loginOrder: LoginOrder;
  readonly passwordAttempts: PasswordAttempts;
  readonly limits: RateLimits;
}
