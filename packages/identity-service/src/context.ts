import type { Database } from '@zonewright/database';
import type { Clock, Logger } from '@zonewright/service-kit';
import type { Directory } from './accounts/directory.js';
import type { LoginOrder } from './http/login-order.js';
import type { RateLimits } from './http/rate-limits.js';
import type { IdentitySettings } from './settings.js';
import type { CredentialVerifier } from './tokens/credential-verifier.js';
import type { FailedPasswordBudget } from './tokens/failed-password-budget.js';
import type { PasswordAttempts } from './tokens/password-attempts.js';
import type { RecentTokens } from './tokens/recent-tokens.js';
import type { TokenAnswers } from './tokens/token-answers.js';
import type { TokenSigner } from './tokens/token-signer.js';
import type { TokenStates } from './tokens/token-states.js';
import type { VerifiedCredentials } from './tokens/verified-credentials.js';

/** What use cases work with. No logic. */
export interface Context {
  readonly settings: IdentitySettings;
  readonly clock: Clock;
  readonly log: Logger;
  readonly db: Database;
  readonly directory: Directory;
  readonly signer: TokenSigner;
  readonly tokenStates: TokenStates;
  readonly recentTokens: RecentTokens;
  readonly tokenAnswers: TokenAnswers;
  readonly verifier: CredentialVerifier;
  readonly verifiedCredentials: VerifiedCredentials;
  readonly failedPasswords: FailedPasswordBudget;
  readonly loginOrder: LoginOrder;
  readonly passwordAttempts: PasswordAttempts;
  readonly limits: RateLimits;
}
