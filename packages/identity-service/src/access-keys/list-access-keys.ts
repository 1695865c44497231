import type { Context } from '../context.js';
import { readParameter } from '../http/parameter.js';
import type { ApiRequest, ApiResponse, Caller } from '../http/route.js';
import { represent } from '../representation/resource.js';
import { listAccessKeys as selectAccessKeys } from './access-key-store.js';
import { findOwner } from '../accounts/find-owner.js';
import { readExport, readStates, readUserId } from './read-query.js';
import { ACCESS_KEYS } from './render-access-key.js';
import { exportAccessKey, showAccessKey } from './show-access-key.js';

/** GET .../accesskeys: Get Access Keys (Identity s4). */
export async function listAccessKeys(
  context: Context,
  request: ApiRequest,
  caller: Caller,
): Promise<ApiResponse> {
  const isExport = readExport(request);
  const states = readStates(request);
  const owner = await findOwner(context, caller.account, readUserId(request));
  const keys = await selectAccessKeys(context.db, {
    userId: owner.id,
    accountDomainId: readParameter(request.query, 'domainId'),
    states,
    now: new Date(context.clock.now()),
  });
  if (isExport) {
    const accessKeyIds = keys.map((key) => key.id);
    context.log.info(
      {
        requestId: request.requestId,
        exportedBy: caller.account.id,
        ownerId: owner.id,
        accessKeyIds,
      },
      'access keys exported',
    );
  }
  const show = isExport ? exportAccessKey : showAccessKey;
  const shown = keys.map((key) => show(context, key));
  return { status: 200, body: represent(ACCESS_KEYS, shown) };
}
