import type { Context } from '../context/context.js';
import type { ApiRequest, ApiResponse, Caller } from '../http/route.js';
import { represent } from '@zonewright/http-api';
import { getNamedAccessKey } from './get-named-access-key.js';
import { readExport } from './read-query.js';
import { ACCESS_KEY } from '../representation/render-access-key.js';
import { exportAccessKey, showAccessKey } from './show-access-key.js';

/** GET .../accesskeys/{accesskeyId}: Get An Access Key (Identity s4). */
export async function getAccessKey(
  context: Context,
  request: ApiRequest,
  caller: Caller,
): Promise<ApiResponse> {
  const isExport = readExport(request);
  const key = await getNamedAccessKey(context, request, caller);
  const shown = isExport ? exportAccessKey(context, key) : showAccessKey(context, key);
  if (isExport) {
    context.log.info(
      {
        requestId: request.requestId,
        exportedBy: caller.account.id,
        ownerId: key.userId,
        accessKeyId: key.id,
      },
      'access key exported',
    );
  }
  return { status: 200, body: represent(ACCESS_KEY, shown) };
}
