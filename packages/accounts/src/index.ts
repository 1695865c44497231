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
} from './access-keys/access-key-rules.js';
export { openAccessKeySecret, sealAccessKeySecret } from './access-keys/access-key-secret.js';
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
  ACCESS_KEY_STATES,
  type AccessKey,
  type AccessKeyState,
  accessKeyStateOf,
  type NewAccessKey,
} from './access-keys/access-key.js';
export {
  createAccessKey,
  importAccessKey,
  purgeAccessKeys,
  revokeAccessKey,
} from './access-keys/access-keys.js';
export { addAccessKeys } from './access-keys/add-access-keys.js';
export {
  isRestriction,
  type RestrictionWish,
  readRestriction,
} from './restrictions/read-restriction.js';
export { completeRestriction } from './restrictions/complete-restriction.js';
export type { RestrictionContent } from './restrictions/restriction.js';
export type { Restriction } from './restrictions/restriction-store.js';
export { getOwnedAccessKey } from './access-keys/get-owned-access-key.js';
export { parseDate } from './access-keys/parse-date.js';
export { revokeEverything } from './access-keys/revoke-everything.js';
export {
  type AccountDomain,
  type AccountStatus,
  listAccountDomains,
} from './account-domains/account-domain-store.js';
export {
  createAccountDomain,
  getAccountDomain,
  setAccountDomainStatus,
} from './account-domains/account-domains.js';
export {
  type AdministrationRules,
  type Administrator,
  confirmAdministrator,
  findAdministrator,
  getAdministrator,
  requireOperator,
} from './administration/administrator.js';
export {
  getAccountDomainAs,
  listAccountDomainsAs,
} from './administration/domain-administration.js';
export {
  checkGrantAs,
  type Grant,
  type GrantPlace,
  grantRoleAs,
  listAssignmentsAs,
  listGrantsAs,
  revokeRoleAs,
} from './administration/grant-administration.js';
export {
  createRoleAs,
  deleteRoleAs,
  getRoleAs,
  listRolesAs,
  renameRoleAs,
} from './administration/role-administration.js';
export {
  changeTenantAs,
  createTenantAs,
  deleteTenantAs,
  getTenantAs,
  listTenantsAs,
} from './administration/tenant-administration.js';
export type { ManagedUser } from './administration/default-project.js';
export type { TaggedTenant } from './administration/project-tags.js';
export {
  changeUserAs,
  createUserAs,
  deleteUserAs,
  getManagedUser,
  getUserAs,
  getUserBelow,
  listUsersAs,
} from './administration/user-administration.js';
export { bootstrapAccounts } from './bootstrap/bootstrap-accounts.js';
export type {
  AccountsBootstrapOptions,
  BootstrapRun,
  BootstrapSecrets,
  GivenAccessKey,
} from './bootstrap/bootstrap-run.js';
export { DEMO_NAME, ensureDemo } from './bootstrap/ensure-demo.js';
export type { Activation } from './catalog/activation-store.js';
export { activateService, deactivateService, listActivationsOf } from './catalog/activations.js';
export type { CatalogEndpoint, CatalogEntry } from './catalog/catalog.js';
export {
  type Endpoint,
  listEndpoints,
  RELEASE_STATES,
  type ReleaseState,
} from './catalog/endpoint-store.js';
export {
  changeEndpoint,
  createEndpoint,
  type EndpointChange,
  getEndpoint,
} from './catalog/endpoints.js';
export { getService } from './services/get-service.js';
export { listServices, type Service } from './services/service-store.js';
export { changeService, createService } from './catalog/services.js';
export { TENANT_PLACEHOLDER } from './catalog/url-template.js';
export { ChangeWatch } from './changes/change-watch.js';
export { forbidden, invalidRequest, notFound, unauthenticated } from './problems/problems.js';
export { RedisConnection } from './redis/redis-connection.js';
export { retentionRules } from './retention/retention-rules.js';
export type { ShownAssignment } from './roles/assignment-page-store.js';
export type { RoleAssignment, RoleAssignmentIds } from './roles/role-assignment-store.js';
export { findRoleAssignments, grantRole, revokeRole } from './roles/role-assignments.js';
export { listRoles, type Role } from './roles/role-store.js';
export { createRole } from './roles/roles.js';
export {
  findTenantOfUserById,
  findTenantOfUserByName,
  listAllTenantsOfUser,
  listTenants,
  listTenantsOfUser,
  type TenantReference,
} from './tenants/tenant-store.js';
export type { Tenant } from './tenants/tenant.js';
export { createTenant, describeTenant, getTenant, setTenantEnabled } from './tenants/tenants.js';
export { type Access, describeAccess, type DescribedToken } from './tokens/validation/access.js';
export { rescope } from './tokens/changing/rescope.js';
export { revoke } from './tokens/changing/revoke.js';
export { TOKEN_LIFETIME_MS } from './tokens/claims/token-claims.js';
export type { PasswordAttempt } from './tokens/credentials/credential-verifier.js';
export { accountNameOf, type Credentials } from './tokens/credentials/credentials.js';
export { type AdmissionRequest, admit } from './tokens/issuing/admit.js';
export { deriveToken } from './tokens/issuing/derive-token.js';
export { issueToken } from './tokens/issuing/issue-token.js';
export { listSigningKeys, type SigningKey } from './tokens/signing/signing-key-store.js';
export {
  retireExpiredSigningKeys,
  retireSigningKey,
  rotateSigningKey,
} from './tokens/signing/signing-keys.js';
export { createTokenServices, type TokenServices } from './tokens/services/token-services.js';
export type { ResolvedToken } from './tokens/validation/resolved-token.js';
export { validate } from './tokens/validation/validate.js';
export type { AccountParts, DocumentEncryption, TenantPart } from './transfer/account-parts.js';
export { compareAccounts } from './transfer/compare-accounts.js';
export {
  type AccessKeyRow,
  countForeignAssignments,
  listAccessKeyParts,
  listRoleAssignmentParts,
  listTenantParts,
  listUserParts,
  type UserRow,
} from './transfer/export-store.js';
export { importAccounts } from './transfer/import-accounts.js';
export { type OpenedSecrets, openSecrets } from './transfer/open-secrets.js';
export { exportIdentity, SecretBox } from './transfer/secret-box.js';
export type { DomainReference, UserReference } from './users/account-store.js';
export {
  type Account,
  domainStatusText,
  type HeldRole,
  isOperator,
  mayValidateAnyToken,
  rolesInScope,
} from './users/account.js';
export { changeOwnPassword } from './administration/change-own-password.js';
export { checkCredentials } from './users/check-credentials.js';
export { findOwner, findOwnerOfNewKey } from './directory/find-owner.js';
export { generatePassword, parseChosenPassword } from './users/passwords.js';
export { listServiceUsers, listUsers, type User } from './users/user-store.js';
export { createUser, getUser, setUserPassword, setUserStatus } from './users/users.js';
export { isId } from './values/choose-id.js';
export type { NameFilter } from './values/name-filter.js';
export { isName } from './values/parse-name.js';
export { admitByKey, type ShownKey } from './tokens/issuing/admit-by-key.js';
export { admitByTsig, admitterByTsig } from './tokens/issuing/admit-by-tsig.js';
export { signTsigAnswer } from './tokens/issuing/sign-tsig-answer.js';
export { readSignedRequest } from './tokens/credentials/signed-request.js';
export { isService } from './users/account.js';
