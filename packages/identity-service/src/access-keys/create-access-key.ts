import { ACCESS_KEY_LENGTH, generateAccessKeyId, generateSecretKey } from '@zonewright/database';
import type { Context } from '../context/context.js';
import { Members, represent } from '@zonewright/http-api';
import type { ApiRequest, ApiResponse, Caller } from '../http/route.js';
import { type AccessKey, type NewAccessKey, sealAccessKeySecret } from '@zonewright/accounts';
import { completeAttributes } from './complete-attributes.js';
import { getOwnerOfNewKey, storeAccessKeys } from './store-access-keys.js';
import { readNewAccessKey } from './read-access-key.js';
import { ACCESS_KEY } from '../representation/render-access-key.js';
import { showAccessKey } from './show-access-key.js';

/** POST .../accesskeys: Create User Access Key (Identity s4). The answer shows the secret. */
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
