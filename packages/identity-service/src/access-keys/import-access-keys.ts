import { generateAccessKeyId, secretIdentity } from '@zonewright/database';
import type { Account } from '../accounts/account.js';
import type { Context } from '../context.js';
import { Members } from '@zonewright/http-api';
import type { ApiRequest, ApiResponse, Caller } from '../http/route.js';
import { represent } from '@zonewright/http-api';
import type { AccessKey } from './access-key.js';
import { addAccessKeys } from './add-access-keys.js';
import { findOwner } from '../accounts/find-owner.js';
import { type ImportedAccessKey, readImportedAccessKey } from './read-access-key.js';
import { ACCESS_KEYS } from './render-access-key.js';
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
  const keys: AccessKey[] = [];
  for (const entry of entries) {
    const owner = await findOwner(context, caller.account, entry.userId);
    keys.push(toAccessKey(context, entry, { owner, now }));
  }
  await addAccessKeys(context, request, caller.account, keys);
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
  { owner, now }: { readonly owner: Account; readonly now: Date },
): AccessKey {
  const id = entry.id ?? generateAccessKeyId();
  const secret = Buffer.from(entry.secretKey);
  return {
    id,
    userId: owner.id,
    accountDomainId: owner.domain.id,
    algorithm: entry.algorithm,
    keyLength: entry.keyLength,
    secret: settings.encryptionKeys.seal(secret, secretIdentity.accessKey(id)),
    status: entry.status,
    validFrom: entry.validFrom,
    validTo: entry.validTo,
    createdAt: now,
  };
}
