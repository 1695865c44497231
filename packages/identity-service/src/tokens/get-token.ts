import type { Context } from '../context.js';
import { invalidRequest } from '../http/problems.js';
import type { ApiRequest, ApiResponse, Caller } from '../http/route.js';
import { ACCESS_WITHOUT_CATALOG } from './render-access.js';
import type { ResolvedToken } from './resolve-token.js';
import { NO_STORE_HEADERS } from './token-headers.js';
import { validate } from './validate.js';

/** GET /v2.0/tokens/{tokenId}: Validate Token (decisions 2). */
export async function getToken(
  context: Context,
  request: ApiRequest,
  caller: Caller,
): Promise<ApiResponse> {
  const token = await validateForTenant(context, request, caller);
  return {
    status: 200,
    headers: NO_STORE_HEADERS,
    body: await context.tokenBodies.represent(ACCESS_WITHOUT_CATALOG, token),
  };
}

/** HEAD /v2.0/tokens/{tokenId}. */
export async function headToken(
  context: Context,
  request: ApiRequest,
  caller: Caller,
): Promise<ApiResponse> {
  await validateForTenant(context, request, caller);
  return { status: 204, headers: NO_STORE_HEADERS };
}

async function validateForTenant(
  context: Context,
  { params, query }: ApiRequest,
  caller: Caller,
): Promise<ResolvedToken> {
  const token = await validate(context, caller, params['tokenId'] ?? '');
  const expected = query.get('belongsTo');
  if (expected !== null && expected !== token.tenant?.id) {
    throw invalidRequest('belongsTo names another tenant than the one of the token');
  }
  return token;
}
