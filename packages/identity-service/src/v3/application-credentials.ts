import {
  type AccessKey,
  type Account,
  completeRestriction,
  completeValidity,
  findOwner,
  forbidden,
  getOwnedAccessKey,
  invalidRequest,
  isSoundValidity,
  listAccessKeys,
  markAccessKeyDeleted,
  notFound,
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
import { storeAccessKeys } from '../access-keys/change-access-keys.js';
import type { Context } from '../context/context.js';
import { commitInTime } from '../http/commit-in-time.js';
import { readParameter } from '../http/parameters.js';
import type { ApiRequest, ApiResponse, Caller } from '../http/route.js';
import {
  APPLICATION_CREDENTIAL,
  APPLICATION_CREDENTIALS,
  type CredentialView,
} from '../representation/application-credential.js';
import { type NewCredential, readApplicationCredential } from './application-credential-body.js';

/**
 * POST /v3/users/{userId}/application_credentials: creates an access key that is restricted to the project of the
 * token, and optionally to rules. The user must be the caller, as in Keystone.
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
  if (!isSoundValidity(validity)) throw invalidRequest('expires_at must be in the future');
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
    validToText: wish.validToText,
    createdAt: now,
    name,
    description,
    restriction,
  };
  const validTo = wish.validToText === undefined ? key.validTo : `${wish.validToText}Z`;
  await storeAccessKeys(context, request, caller, [{ ...key, validTo }]);
  request.audit.note({ accessKeyId: id, ownerId: owner.id });
  const shown = { ...showCredential(request, owner, key), secretKey };
  return { status: 201, body: represent(APPLICATION_CREDENTIAL, shown) };
}

/** Rejects a subset of the user's roles. A key has all roles of its user, and must not appear to have fewer. */
function requireAllRoles({ roles }: NewCredential, owner: Account, tenantId: string): void {
  const missing = rolesInScope(owner, tenantId).find(
    ({ role }) => roles?.includes(role.id) === false && !roles.includes(role.name),
  );
  if (missing === undefined) return;
  throw invalidRequest(
    `roles must contain ${missing.role.name}: a credential has all roles of its user; use access_rules to restrict it`,
  );
}

/** GET /v3/users/{userId}/application_credentials/{credentialId} */
export async function getApplicationCredential(
  context: Context,
  request: ApiRequest,
  caller: Caller,
): Promise<ApiResponse> {
  const { owner, key } = await getNamedCredential(context, request, caller);
  return {
    status: 200,
    body: represent(APPLICATION_CREDENTIAL, showCredential(request, owner, key)),
  };
}

/**
 * Returns the key of a path, with its owner. An ordinary access key is not a credential. @throws ServiceError not-found
 */
async function getNamedCredential(
  context: Context,
  { params }: ApiRequest,
  { account }: Caller,
): Promise<{ readonly owner: Account; readonly key: AccessKey }> {
  const userId = params['userId'];
  const owner = await findOwner(context.directory, account, userId);
  const id = params['credentialId'] ?? '';
  const key = await getOwnedAccessKey(context, account, { id, userId });
  const isGone = key.status === 'deleted' || key.status === 'revoked';
  if (isGone || key.restriction === undefined) {
    throw notFound('application credential not found');
  }
  return { owner, key };
}

/** Maximum number of credentials in a list. It exceeds what any user may have, whatever the quota is. */
const MAX_CREDENTIALS = 10_000;

/** GET /v3/users/{userId}/application_credentials: restricted keys that can be used now or later, oldest first. */
export async function listApplicationCredentials(
  context: Context,
  request: ApiRequest,
  caller: Caller,
): Promise<ApiResponse> {
  const { baseUrl, path, query, params } = request;
  const name = readParameter(query, 'name');
  const owner = await findOwner(context.directory, caller.account, params['userId']);
  const keys = await listAccessKeys(context.db, {
    userId: owner.id,
    accountDomainId: undefined,
    states: ['active', 'inactive', 'expired'],
    now: new Date(context.clock.now()),
    after: undefined,
    limit: MAX_CREDENTIALS,
  });
  const credentials = keys
    .filter(({ restriction }) => restriction !== undefined)
    .filter((key) => name === undefined || (key.name ?? key.id) === name)
    .map((key) => showCredential(request, owner, key));
  const document = { credentials, selfUrl: baseUrl + path };
  return { status: 200, body: represent(APPLICATION_CREDENTIALS, document) };
}

/** DELETE /v3/users/{userId}/application_credentials/{credentialId}: erases the secret and ends its tokens. */
export async function deleteApplicationCredential(
  context: Context,
  request: ApiRequest,
  caller: Caller,
): Promise<ApiResponse> {
  const { owner, key } = await getNamedCredential(context, request, caller);
  const named = { id: key.id, userId: owner.id, now: new Date(context.clock.now()) };
  const isDone = await commitInTime(context, request, (trx) => markAccessKeyDeleted(trx, named));
  if (!isDone) throw notFound('application credential not found');
  request.audit.note({ accessKeyId: key.id, ownerId: owner.id });
  context.verifiedCredentials.clear();
  return { status: 204 };
}

/** Returns the view of a key without its secret, with its own URL. */
function showCredential(
  { baseUrl }: Pick<ApiRequest, 'baseUrl'>,
  owner: Account,
  key: AccessKey,
): CredentialView {
  const selfUrl = `${baseUrl}/v3/users/${owner.id}/application_credentials/${key.id}`;
  return { key, owner, secretKey: undefined, selfUrl };
}
