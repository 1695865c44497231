export type { AccessKey, AccessKeyStatus } from './access-keys/access-key-store.js';
export {
  createAccessKey,
  type CreatedAccessKey,
  importAccessKey,
} from './access-keys/access-keys.js';
export type { AccountDomain, AccountStatus } from './account-domains/account-domain-store.js';
export { createAccountDomain, DEFAULT_ACCOUNT_DOMAIN } from './account-domains/account-domains.js';
export {
  bootstrap,
  type BootstrapOptions,
  type BootstrapResult,
  type BootstrapSecrets,
} from './bootstrap/bootstrap.js';
export { DEMO_NAME, ensureDemo } from './bootstrap/ensure-demo.js';
export { activateService } from './catalog/activations.js';
export { grantRole } from './roles/role-assignments.js';
export { ADMIN_SETTINGS } from './settings.js';
export type { Tenant } from './tenants/tenant-store.js';
export { createTenant, getTenant } from './tenants/tenants.js';
export { generatePassword } from './users/passwords.js';
export type { User } from './users/user-store.js';
export { createUser, getUser, setUserPassword } from './users/users.js';
