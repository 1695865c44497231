import type { Context } from '../context/context.js';
import type { ApiRequest, ApiResponse, Caller } from '../http/route.js';
import { describeAccess } from '@zonewright/accounts';
import { represent } from '@zonewright/http-api';
import { V3_CATALOG } from '../representation/render-v3-token.js';

/** GET /v3/auth/catalog: the catalog of the token in X-Auth-Token. */
export async function getV3Catalog(
  context: Context,
  { baseUrl }: ApiRequest,
  caller: Caller,
): Promise<ApiResponse> {
  const access = await describeAccess(context, caller);
  const selfUrl = `${baseUrl}/v3/auth/catalog`;
  return { status: 200, body: represent(V3_CATALOG, { access, selfUrl }) };
}
