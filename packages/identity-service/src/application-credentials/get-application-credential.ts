import {
  type AccessKey,
  type Account,
  findOwner,
  getOwnedAccessKey,
  notFound,
} from '@zonewright/accounts';
import { represent } from '@zonewright/http-api';
import type { Context } from '../context/context.js';
import type { ApiRequest, ApiResponse, Caller } from '../http/route.js';
import { APPLICATION_CREDENTIAL } from '../representation/render-application-credential.js';
import { showCredential } from './show-application-credential.js';

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

/** The key that a path names, with its owner. @throws ServiceError not-found */
export async function getNamedCredential(
  context: Context,
  { params }: ApiRequest,
  { account }: Caller,
): Promise<{ readonly owner: Account; readonly key: AccessKey }> {
  const userId = params['userId'];
  const owner = await findOwner(context.directory, account, userId);
  const id = params['credentialId'] ?? '';
  const key = await getOwnedAccessKey(context, account, { id, userId });
  if (key.status === 'deleted' || key.status === 'revoked') {
    throw notFound('application credential not found');
  }
  return { owner, key };
}
