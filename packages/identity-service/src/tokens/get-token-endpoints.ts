import { ENDPOINTS } from '../representation/render-catalog.js';
import type { Context } from '../context/context.js';
import type { ApiRequest, ApiResponse, Caller } from '../http/route.js';
import { describeAccess, validate } from '@zonewright/accounts';
import { represent } from '@zonewright/http-api';

/** GET /v2.0/tokens/{tokenId}/endpoints (decisions 2, Validate). */
export async function getTokenEndpoints(
  context: Context,
  { params }: ApiRequest,
  caller: Caller,
): Promise<ApiResponse> {
  const token = await validate(context, caller, params['tokenId'] ?? '');
  const { catalog } = await describeAccess(context, token);
  return { status: 200, body: represent(ENDPOINTS, catalog) };
}
