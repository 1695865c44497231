import { markAccessKeyDeleted, notFound } from '@zonewright/accounts';
import { commitInTime } from '../access-keys/commit-in-time.js';
import type { Context } from '../context/context.js';
import type { ApiRequest, ApiResponse, Caller } from '../http/route.js';
import { getNamedCredential } from './get-application-credential.js';

/** DELETE /v3/users/{userId}/application_credentials/{credentialId}: its secret is erased, and its tokens end. */
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
