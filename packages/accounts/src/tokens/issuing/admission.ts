import type { Tenant } from '../../tenants/tenant.js';
import type { Account } from '../../users/account.js';
import type { VerifiedKey } from '../credentials/credential-verifier.js';

/** Whom credentials have let in. */
export interface Admission {
  readonly account: Account;
  readonly tenant: Tenant | undefined;
  /** Undefined: it was a password. */
  readonly accessKey?: VerifiedKey | undefined;
}
