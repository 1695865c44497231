import {
  type Account,
  completeRestriction,
  completeValidity,
  forbidden,
  invalidRequest,
  isSoundValidity,
  rolesInScope,
  sealAccessKeySecret,
} from '@zonewright/accounts';
import {
  ACCESS_KEY_LENGTH,
  DEFAULT_ACCESS_KEY_ALGORITHM,
  generateAccessKeyId,
  generateSecretKey,
} from '@zonewright/database';
import { Members, represent } from '@zonewright/http-api';
import { storeAccessKeys } from '../access-keys/store-access-keys.js';
import type { Context } from '../context/context.js';
import type { ApiRequest, ApiResponse, Caller } from '../http/route.js';
import { APPLICATION_CREDENTIAL } from '../representation/render-application-credential.js';
import { type CredentialWish, readApplicationCredential } from './read-application-credential.js';
import { showCredential } from './show-application-credential.js';

/**
 * POST /v3/users/{userId}/application_credentials: an access key that is restricted to the project of the token, and to
 * rules if there are any. One's own alone, as in Keystone.
 */
export async function createApplicationCredential(
  context: Context,
  request: ApiRequest,
  caller: Caller,
): Promise<ApiResponse> {
  const { account: owner, tenant } = caller;
  if (request.params['userId'] !== owner.id) throw forbidden();
  const wish = Members.read(request.body, (root) =>
    readApplicationCredential(root.object('application_credential')),
  );
  const now = new Date(context.clock.now());
  const validity = completeValidity({ validTo: wish.validTo }, now);
  if (!isSoundValidity(validity)) throw invalidRequest('expires_at must lie in the future');
  if (tenant === undefined) throw invalidRequest('the token must be scoped to a project');
  const restriction = completeRestriction(wish.restriction, owner, tenant.id);
  requireAllRoles(wish, owner, restriction.tenantId);
  const id = generateAccessKeyId();
  const { name, description } = wish;
  const secretKey = wish.secretKey ?? generateSecretKey(ACCESS_KEY_LENGTH.default);
  const key = {
    id,
    userId: owner.id,
    accountDomainId: owner.domain.id,
    algorithm: DEFAULT_ACCESS_KEY_ALGORITHM,
    keyLength: wish.secretKey === undefined ? ACCESS_KEY_LENGTH.default : undefined,
    secret: sealAccessKeySecret(context.settings.encryptionKeys, { id, restriction }, secretKey),
    status: 'active' as const,
    ...validity,
    createdAt: now,
    name,
    description,
    restriction,
  };
  await storeAccessKeys(context, request, caller, [key]);
  request.audit.note({ accessKeyId: id, ownerId: owner.id });
  const shown = { ...showCredential(request, owner, key), secretKey };
  return { status: 201, body: represent(APPLICATION_CREDENTIAL, shown) };
}

/** A key has the roles of its user: fewer of them cannot be had, and must not seem to be. */
function requireAllRoles({ roles }: CredentialWish, owner: Account, tenantId: string): void {
  const missing = rolesInScope(owner, tenantId).find(
    ({ role }) => roles?.includes(role.id) === false && !roles.includes(role.name),
  );
  if (missing === undefined) return;
  throw invalidRequest(
    `roles lacks ${missing.role.name}: a credential has all roles of its user; restrict it by access_rules`,
  );
}
