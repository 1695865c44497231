import { generateAccessKeyId } from '@zonewright/database';
import {
  type AccessKey,
  type Account,
  type NewAccessKey,
  sealAccessKeySecret,
} from '@zonewright/accounts';
import type { Context } from '../context/context.js';
import { Members, represent } from '@zonewright/http-api';
import type { ApiRequest, ApiResponse, Caller } from '../http/route.js';
import { completeAttributes } from './complete-attributes.js';
import { getOwnerOfNewKey, storeAccessKeys } from './store-access-keys.js';
import { type ImportedAccessKey, readImportedAccessKey } from './read-access-key.js';
import { ACCESS_KEYS } from '../representation/render-access-key.js';
import { showAccessKey } from './show-access-key.js';

/** More come in several requests; each is one transaction. */
const MAX_IMPORTED_KEYS = 250;

/** PUT .../accesskeys: Import User Access Key (Identity s4), all keys or none. Secrets are not echoed. */
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
    if (entries.length === 0) wrapper.problem('accessKey', 'must hold one key or more');
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
