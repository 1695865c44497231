export { listLastUses } from './access-keys/access-key-uses.js';
export {
  completeValidity,
  isAccessKeyAlgorithm,
  isImportable,
  isImportableAlgorithm,
  isKeyName,
  isSoundValidity,
  MAX_ALGORITHM_LENGTH,
  MAX_IMPORTED_LENGTH,
  MAX_KEY_DESCRIPTION_LENGTH,
  MAX_KEY_NAME_LENGTH,
  parseDate,
  withMicroseconds,
} from './access-keys/access-key-rules.js';
export {
  ACCESS_KEY_STATES,
  type AccessKey,
  type AccessKeyState,
  accessKeyStateOf,
  type NewAccessKey,
  openAccessKeySecret,
  sealAccessKeySecret,
} from './access-keys/access-key.js';
export {
  findAccessKey,
  listAccessKeys,
  markAccessKeyDeleted,
  updateAccessKeyStatus,
} from './access-keys/access-key-store.js';
export {
  type AccessKeySummary,
  listAccessKeySummaries,
  listActiveAccessKeyIds,
} from './access-keys/access-key-summary-store.js';
export {
  addAccessKeys,
  createAccessKey,
  importAccessKey,
  purgeAccessKeys,
  revokeAccessKey,
  revokeEverything,
} from './access-keys/access-keys.js';
export {
  completeRestriction,
  isRestriction,
  readRestriction,
  type RestrictionContent,
  type RequestedRestriction,
} from './access-keys/restriction.js';
export type { Restriction } from './access-keys/restriction-store.js';
export { findOwner, findOwnerOfNewKey, getOwnedAccessKey } from './administration/owners.js';
export {
  type AccountDomain,
  type AccountStatus,
  createAccountDomain,
  getAccountDomain,
  listAccountDomains,
  setAccountDomainStatus,
} from './users/account-domains.js';
export {
  type AdministrationRules,
  type Administrator,
  confirmAdministrator,
  findAdministrator,
  getAdministrator,
  requireOperator,
} from './administration/administrator.js';
export type { Extra } from './administration/extra.js';
export { getAccountDomainAs, listAccountDomainsAs } from './administration/account-domains.js';
export {
  checkGrantAs,
  type Grant,
  type GrantTarget,
  grantRoleAs,
  listAssignmentsAs,
  listGrantsAs,
  revokeRoleAs,
  type NamedAssignment,
} from './administration/grants.js';
export {
  changeRoleAs,
  createRoleAs,
  deleteRoleAs,
  getRoleAs,
  listRolesAs,
  type ManagedRole,
} from './administration/roles.js';
export {
  changeTenantAs,
  createTenantAs,
  deleteTenantAs,
  getTenantAs,
  listTenantsAs,
  type TaggedTenant,
} from './administration/tenants.js';
export {
  changeUserAs,
  createUserAs,
  deleteUserAs,
  getManagedUser,
  getUserAs,
  getUserBelow,
  listUsersAs,
  type ManagedUser,
} from './administration/users.js';
export { bootstrapAccounts } from './bootstrap/bootstrap-accounts.js';
export type {
  AccountsBootstrapOptions,
  BootstrapRun,
  BootstrapSecrets,
  GivenAccessKey,
} from './bootstrap/bootstrap-run.js';
export { DEMO_NAME, ensureDemo } from './bootstrap/ensure-demo.js';
export type { Activation } from './tenants/activation-store.js';
export { activateService, deactivateService, listActivationsOf } from './catalog/activations.js';
export {
  activateEndpointAs,
  checkActivationAs,
  deactivateEndpointAs,
  type EndpointOfProject,
  getEndpointAs,
  listActiveEndpointsAs,
  listEndpointsAs,
  listServicesAs,
  listTenantsWithEndpointAs,
} from './administration/catalog.js';
export type { CatalogEndpoint, CatalogEntry } from './catalog/catalog.js';
export {
  changeEndpoint,
  createEndpoint,
  type Endpoint,
  type EndpointChange,
  getEndpoint,
  listEndpoints,
  RELEASE_STATES,
  type ReleaseState,
} from './catalog/endpoints.js';
export { getService, listServices, type Service } from './roles/service-store.js';
export { changeService, createService } from './catalog/services.js';
export { TENANT_PLACEHOLDER } from './catalog/url-template.js';
export { ChangeWatch } from './shared/change-watch.js';
export { forbidden, invalidRequest, notFound, unauthenticated } from './shared/problems.js';
export { RedisConnection } from './shared/redis-connection.js';
export { retentionRules } from './retention-rules.js';
export {
  findRoleAssignments,
  grantRole,
  revokeRole,
  type RoleAssignment,
  type RoleAssignmentIds,
} from './roles/role-assignments.js';
export { createRole, listRoles, type Role } from './roles/roles.js';
export {
  findTenantOfUserById,
  findTenantOfUserByName,
  listAllTenantsOfUser,
  listTenants,
  listTenantsOfUser,
  type Tenant,
  type TenantReference,
} from './tenants/tenant-store.js';
export { createTenant, describeTenant, getTenant, setTenantEnabled } from './tenants/tenants.js';
export { type Access, describeAccess, type DescribedToken } from './tokens/access.js';
export { rescope, revoke } from './tokens/revoke.js';
export { TOKEN_LIFETIME_MS } from './tokens/token-claims.js';
export type { PasswordAttempt } from './login/credential-verifier.js';
export { accountNameOf, type Credentials } from './login/credentials.js';
export { type AdmissionRequest, admit, admitByKey, type PresentedKey } from './tokens/admit.js';
export { deriveToken, issueToken } from './tokens/issue.js';
export {
  listSigningKeys,
  retireExpiredSigningKeys,
  retireSigningKey,
  rotateSigningKey,
  type SigningKey,
} from './tokens/signing-keys.js';
export { createTokenServices, type TokenServices } from './tokens/token-services.js';
export { mayValidate, type ResolvedToken } from './tokens/token-rights.js';
export { validate } from './tokens/validate.js';
export type {
  AccountParts,
  DocumentEncryption,
  TenantPart,
} from './account-transfer/account-parts.js';
export { compareAccounts } from './account-transfer/compare-accounts.js';
export {
  type AccessKeyRow,
  countOutsideAssignments,
  listAccessKeyParts,
  listRoleAssignmentParts,
  listTenantParts,
  listUserParts,
  type UserRow,
} from './account-transfer/export-store.js';
export { importAccounts } from './account-transfer/import-accounts.js';
export { type OpenedSecrets, openSecrets } from './account-transfer/open-secrets.js';
export { exportIdentity, SecretBox } from './account-transfer/secret-box.js';
export type { DomainReference, UserReference } from './users/account-store.js';
export {
  type Account,
  domainStatusText,
  type HeldRole,
  isOperator,
  rolesInScope,
} from './users/account.js';
export { changeOwnPassword } from './administration/own-password.js';
export {
  checkCredentials,
  createUser,
  getUser,
  setUserPassword,
  setUserStatus,
} from './users/users.js';
export { generatePassword, parseChosenPassword } from './users/passwords.js';
export { listServiceUsers, listUsers, type User } from './users/user-store.js';
export { isId, isName, type NameFilter } from './shared/names.js';
export {
  admitByTsig,
  admitterByTsig,
  signTsigAnswer,
  signTsigTransfer,
} from './tokens/admit-by-tsig.js';
export { readSignedRequest } from './login/tsig-verifier.js';
export { isService } from './users/account.js';
