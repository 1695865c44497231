import { findOwner, listAccessKeys } from '@zonewright/accounts';
import { represent } from '@zonewright/http-api';
import type { Context } from '../context/context.js';
import { readParameter } from '../http/parameter.js';
import type { ApiRequest, ApiResponse, Caller } from '../http/route.js';
import { APPLICATION_CREDENTIALS } from '../representation/render-application-credential.js';
import { showCredential } from './show-application-credential.js';

/** More than a user may have, whatever the quota is. */
const MAX_CREDENTIALS = 10_000;

/** GET /v3/users/{userId}/application_credentials: the keys that can be used now or later, oldest first. */
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
    .filter((key) => name === undefined || (key.name ?? key.id) === name)
    .map((key) => showCredential(request, owner, key));
  const document = { credentials, selfUrl: baseUrl + path };
  return { status: 200, body: represent(APPLICATION_CREDENTIALS, document) };
}
