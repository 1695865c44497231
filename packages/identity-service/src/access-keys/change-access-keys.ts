import {
  type AccessKey,
  accessKeyStateOf,
  type Account,
  addAccessKeys,
  checkCredentials,
  completeRestriction,
  findOwnerOfNewKey,
  invalidRequest,
  markAccessKeyDeleted,
  type NewAccessKey,
  notFound,
  sealAccessKeySecret,
  updateAccessKeyStatus,
} from '@zonewright/accounts';
import { ACCESS_KEY_LENGTH, generateAccessKeyId, generateSecretKey } from '@zonewright/database';
import { Members, represent } from '@zonewright/http-api';
import type { Context } from '../context/context.js';
import { commitInTime } from '../http/commit-in-time.js';
import type { ApiRequest, ApiResponse, Caller } from '../http/route.js';
import { ACCESS_KEY, ACCESS_KEYS } from '../representation/access-key.js';
import {
  type ImportedAccessKey,
  type KeyAttributes,
  readImportedAccessKey,
  readNewAccessKey,
  readStatus,
} from './access-key-body.js';
import { getEvenDeletedAccessKey, getNamedAccessKey, showAccessKey } from './read-access-keys.js';

/** POST .../accesskeys: Create User Access Key (Identity s4). The response contains the secret. */
export async function createAccessKey(
  context: Context,
  request: ApiRequest,
  caller: Caller,
): Promise<ApiResponse> {
  const { clock, settings } = context;
  const { body, audit } = request;
  const now = new Date(clock.now());
  const wish = Members.read(body, (root) => readNewAccessKey(root.object('accessKey'), now));
  const owner = await getOwnerOfNewKey(context, caller, wish.userId);
  const attributes = completeAttributes(wish, caller, owner);
  const id = generateAccessKeyId();
  const keyLength = wish.keyLength ?? ACCESS_KEY_LENGTH.default;
  const secretKey = generateSecretKey(keyLength);
  const key: AccessKey & NewAccessKey = {
    id,
    userId: owner.id,
    accountDomainId: owner.domain.id,
    algorithm: wish.algorithm,
    keyLength,
    ...attributes,
    secret: sealAccessKeySecret(settings.encryptionKeys, { id, ...attributes }, secretKey),
    status: wish.status,
    validFrom: wish.validFrom,
    validTo: wish.validTo,
    createdAt: now,
  };
  await storeAccessKeys(context, request, caller, [key]);
  audit.note({ accessKeyId: id, ownerId: owner.id });
  return {
    status: 201,
    body: represent(ACCESS_KEY, {
      ...showAccessKey(context, key),
      secretKey,
    }),
  };
}

/** Maximum number of keys in an import. Larger imports need several requests, each with its own transaction. */
const MAX_IMPORTED_KEYS = 250;

/** PUT .../accesskeys: Import User Access Key (Identity s4), all keys or none. The response has no secrets. */
export async function importAccessKeys(
  context: Context,
  request: ApiRequest,
  caller: Caller,
): Promise<ApiResponse> {
  const now = new Date(context.clock.now());
  const entries = readEntries(request.body, now);
  const keys: (AccessKey & NewAccessKey)[] = [];
  for (const entry of entries) {
    const owner = await getOwnerOfNewKey(context, caller, entry.userId);
    keys.push(toAccessKey(context, entry, { caller, owner, now }));
  }
  await storeAccessKeys(context, request, caller, keys);
  const shown = keys.map((key) => showAccessKey(context, key));
  return { status: 200, body: represent(ACCESS_KEYS, shown) };
}

function readEntries(body: unknown, now: Date): ImportedAccessKey[] {
  return Members.read(body, (root) => {
    const wrapper = root.object('accessKeys');
    const entries = wrapper.objects('accessKey', { max: MAX_IMPORTED_KEYS });
    if (entries.length === 0) wrapper.problem('accessKey', 'must contain at least one key');
    return entries.map((entry) => readImportedAccessKey(entry, now));
  });
}

function toAccessKey(
  { settings }: Context,
  entry: ImportedAccessKey,
  { caller, owner, now }: { readonly caller: Caller; readonly owner: Account; readonly now: Date },
): AccessKey & NewAccessKey {
  const id = entry.id ?? generateAccessKeyId();
  const attributes = completeAttributes(entry, caller, owner);
  return {
    id,
    userId: owner.id,
    accountDomainId: owner.domain.id,
    algorithm: entry.algorithm,
    keyLength: entry.keyLength,
    ...attributes,
    secret: sealAccessKeySecret(settings.encryptionKeys, { id, ...attributes }, entry.secretKey),
    status: entry.status,
    validFrom: entry.validFrom,
    validTo: entry.validTo,
    createdAt: now,
  };
}

/** PUT .../accesskeys/{accesskeyId}: Update User Access Key (Identity s4). Only the status can change. */
export async function updateAccessKey(
  context: Context,
  request: ApiRequest,
  caller: Caller,
): Promise<ApiResponse> {
  const status = Members.read(request.body, (root) => {
    const members = root.object('accessKey');
    if (!members.has('status')) members.problem('status', 'is required');
    return readStatus(members) ?? 'active';
  });
  const key = await getEvenDeletedAccessKey(context, request, caller);
  const now = new Date(context.clock.now());
  const { id, userId } = key;
  const updated = await commitInTime(context, request, async (trx) => {
    const row = await updateAccessKeyStatus(trx, { id, userId, status, now });
    await checkCredentials(trx, caller.account);
    return row;
  });
  if (updated === undefined) {
    throw invalidRequest(`a key that is ${accessKeyStateOf(key, now)} cannot be updated`);
  }
  context.verifiedCredentials.clear();
  return { status: 200, body: represent(ACCESS_KEY, showAccessKey(context, updated)) };
}

/** DELETE .../accesskeys/{accesskeyId}: Delete User Access Key (Identity s4). The secret is erased. */
export async function deleteAccessKey(
  context: Context,
  request: ApiRequest,
  caller: Caller,
): Promise<ApiResponse> {
  const { id, userId } = await getNamedAccessKey(context, request, caller);
  const now = new Date(context.clock.now());
  const isDone = await commitInTime(context, request, (trx) =>
    markAccessKeyDeleted(trx, { id, userId, now }),
  );
  if (!isDone) throw notFound('access key not found');
  context.verifiedCredentials.clear();
  return { status: 204 };
}

/**
 * Completes a new key. A key for the caller gets the tenant of the caller's token.
 *
 * @throws ServiceError invalid if the owner has no role on the tenant of the key
 */
function completeAttributes(
  { name, description, restriction }: KeyAttributes,
  caller: Caller,
  owner: Account,
): Pick<NewAccessKey, 'name' | 'description' | 'restriction'> {
  const current = owner.id === caller.account.id ? caller.tenant?.id : undefined;
  return {
    name,
    description,
    restriction: restriction && completeRestriction(restriction, owner, current),
  };
}

/** Inserts keys for their owners, all or none, unless the request has timed out. @throws ServiceError */
export async function storeAccessKeys(
  context: Context,
  request: ApiRequest,
  { account }: Caller,
  keys: readonly NewAccessKey[],
): Promise<void> {
  const by = { caller: account, quota: context.settings.accessKeyQuota };
  await commitInTime(context, request, (trx) => addAccessKeys(trx, keys, by));
}

/** Returns the owner of a new key. If `userId` is undefined, it is the caller. @throws ServiceError */
async function getOwnerOfNewKey(
  { directory, settings }: Context,
  { account }: Caller,
  userId: string | undefined,
): Promise<Account> {
  const { grantableRoles } = settings.administration;
  return await findOwnerOfNewKey(directory, account, { userId, grantableRoles });
}
