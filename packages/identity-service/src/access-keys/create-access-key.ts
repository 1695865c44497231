import {
  ACCESS_KEY_LENGTH,
  generateAccessKeyId,
  generateSecretKey,
  secretIdentity,
} from '@zonewright/database';
import type { Context } from '../context.js';
import { Members } from '@zonewright/http-api';
import type { ApiRequest, ApiResponse, Caller } from '../http/route.js';
import { represent } from '@zonewright/http-api';
import type { AccessKey } from './access-key.js';
import { addAccessKeys } from './add-access-keys.js';
import { findOwner } from '../accounts/find-owner.js';
import { readNewAccessKey } from './read-access-key.js';
import { ACCESS_KEY } from './render-access-key.js';
import { exportAccessKey } from './show-access-key.js';

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
  const owner = await findOwner(context, caller.account, wish.userId);
  const id = generateAccessKeyId();
  const keyLength = wish.keyLength ?? ACCESS_KEY_LENGTH.default;
  const secretKey = Buffer.from(generateSecretKey(keyLength));
  const key: AccessKey = {
    id,
    userId: owner.id,
    accountDomainId: owner.domain.id,
    algorithm: wish.algorithm,
    keyLength,
    secret: settings.encryptionKeys.seal(secretKey, secretIdentity.accessKey(id)),
    status: wish.status,
    validFrom: wish.validFrom,
    validTo: wish.validTo,
    createdAt: now,
  };
  await addAccessKeys(context, request, caller.account, [key]);
  audit.note({ accessKeyId: id, ownerId: owner.id });
  return { status: 201, body: represent(ACCESS_KEY, exportAccessKey(context, key)) };
}
