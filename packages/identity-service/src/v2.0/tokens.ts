import {
  describeAccess,
  invalidRequest,
  rescope,
  type ResolvedToken,
  revoke,
  unauthenticated,
  validate,
} from '@zonewright/accounts';
import { represent } from '@zonewright/http-api';
import type { Context } from '../context/context.js';
import { findCachedValidation } from '../http/cached-validation.js';
import {
  authenticate,
  countRescope,
  returningClientHeaders,
  NO_STORE_HEADERS,
  noteAccess,
  noteClaim,
} from '../http/login.js';
import type { ApiRequest, ApiResponse, Caller } from '../http/route.js';
import { ACCESS, ACCESS_WITHOUT_CATALOG, ENDPOINTS } from '../representation/access.js';
import type { AnswerForm } from '../representation/token-answers.js';
import { readAuthBody } from './auth-body.js';

/** POST /v2.0/tokens: Authenticate or, with a token in the body, Rescope Token (Identity s4). */
export async function postTokens(context: Context, request: ApiRequest): Promise<ApiResponse> {
  const { subject, scope } = readAuthBody(request.body);
  noteClaim(request, subject);
  if (subject.method === 'token') await countRescope(context, subject.tokenId);
  const access =
    subject.method === 'token'
      ? await rescope(context, checkedTokenId(request, subject.tokenId), scope)
      : await authenticate(context, { credentials: subject, scope, head: request });
  noteAccess(request, access);
  const headers = {
    ...NO_STORE_HEADERS,
    ...returningClientHeaders(context, request, { subject, access }),
  };
  return { status: 200, headers, body: represent(ACCESS, access) };
}

/** X-Auth-Token may be absent, or be the token that is rescoped (D-ID-10). */
function checkedTokenId({ headers }: ApiRequest, tokenId: string): string {
  const header = headers['x-auth-token'];
  if (header !== undefined && header !== tokenId) throw unauthenticated();
  return tokenId;
}

const FOUND: AnswerForm = {
  resource: ACCESS_WITHOUT_CATALOG,
  headersOf: () => NO_STORE_HEADERS,
};

/** GET /v2.0/tokens/{tokenId}: Validate Token (D-ID). */
export async function getToken(
  context: Context,
  request: ApiRequest,
  caller: Caller,
): Promise<ApiResponse> {
  const token = await validateForTenant(context, request, caller);
  return await context.tokenAnswers.get(FOUND, token);
}

/** Returns the response if the token is cached and there is no belongsTo. */
export function getCachedToken(
  context: Context,
  { headers, params }: Pick<ApiRequest, 'headers' | 'params'>,
): ApiResponse | undefined {
  const tokenId = params['tokenId'] ?? '';
  const question = { headers, tokenId, form: FOUND, understandsRestrictions: false };
  return findCachedValidation(context, question);
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
  const tokenId = params['tokenId'] ?? '';
  // Version 2.0 cannot express restrictions.
  const token = await validate(context, caller, { tokenId, understandsRestrictions: false });
  const expected = query.get('belongsTo');
  if (expected !== null && expected !== token.tenant?.id) {
    throw invalidRequest('belongsTo is not the tenant of the token');
  }
  return token;
}

/** DELETE /v2.0/EXT-IDM/v1.0/tokens/{tokenId}: Revoke Token (Identity s4), 200 without a body. */
export async function deleteToken(
  context: Context,
  { params, audit }: ApiRequest,
  caller: Caller,
): Promise<ApiResponse> {
  audit.note(await revoke(context, caller, params['tokenId'] ?? ''));
  return { status: 200 };
}

/** DELETE /v2.0/tokens/{tokenId}: the old core path, which returns 204 (D-ID-14). */
export async function deleteTokenOnCorePath(
  context: Context,
  { params, audit }: ApiRequest,
  caller: Caller,
): Promise<ApiResponse> {
  audit.note(await revoke(context, caller, params['tokenId'] ?? ''));
  return { status: 204 };
}

/** GET /v2.0/tokens/{tokenId}/endpoints (D-ID-14). */
export async function getTokenEndpoints(
  context: Context,
  { params }: ApiRequest,
  caller: Caller,
): Promise<ApiResponse> {
  const token = await validate(context, caller, {
    tokenId: params['tokenId'] ?? '',
    understandsRestrictions: false,
  });
  const { catalog } = await describeAccess(context, token);
  return { status: 200, body: represent(ENDPOINTS, catalog) };
}
