import type { Context } from '../context/context.js';
import { invalidRequest, type ResolvedToken, validate } from '@zonewright/accounts';
import type { ApiRequest, ApiResponse, Caller } from '../http/route.js';
import { findKnownValidation } from './known-validation.js';
import { ACCESS_WITHOUT_CATALOG } from '../representation/render-access.js';
import { NO_STORE_HEADERS } from './token-headers.js';
import type { AnswerForm } from '../representation/token-answers.js';

const FOUND: AnswerForm = {
  resource: ACCESS_WITHOUT_CATALOG,
  headersOf: () => NO_STORE_HEADERS,
};

/** GET /v2.0/tokens/{tokenId}: Validate Token (decisions 2). */
export async function getToken(
  context: Context,
  request: ApiRequest,
  caller: Caller,
): Promise<ApiResponse> {
  const token = await validateForTenant(context, request, caller);
  return await context.tokenAnswers.get(FOUND, token);
}

/** The same for a token that is known, without belongsTo. */
export function getKnownToken(
  context: Context,
  { headers, params }: Pick<ApiRequest, 'headers' | 'params'>,
): ApiResponse | undefined {
  const tokenId = params['tokenId'] ?? '';
  const question = { headers, tokenId, form: FOUND, understandsRestrictions: false };
  return findKnownValidation(context, question);
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
  // Version 2.0 has no words for them.
  const token = await validate(context, caller, { tokenId, understandsRestrictions: false });
  const expected = query.get('belongsTo');
  if (expected !== null && expected !== token.tenant?.id) {
    throw invalidRequest('belongsTo names another tenant than the one of the token');
  }
  return token;
}
