import type { Context } from '../context/context.js';
import { type DescribedToken, invalidRequest, validate } from '@zonewright/accounts';
import type { ApiRequest, ApiResponse, Caller } from '../http/route.js';
import { findKnownValidation } from '../tokens/known-validation.js';
import { NO_STORE_HEADERS } from '../tokens/token-headers.js';
import type { AnswerForm } from '../representation/token-answers.js';
import { V3_TOKEN } from '../representation/render-v3-token.js';

const FOUND: AnswerForm = {
  resource: V3_TOKEN,
  headersOf: (token, publishedAt) => ({
    ...NO_STORE_HEADERS,
    'X-Subject-Token': token.id,
    ...revocationHeaders(token, publishedAt),
  }),
};

/**
 * What lets a service remember the answer for a while (ADR 0019): the names whose revocation ends the token, and the run of
 * the Redis on which it is told. Without the latter nobody may.
 */
function revocationHeaders(
  { claims }: DescribedToken,
  publishedAt: string | undefined,
): Readonly<Record<string, string>> {
  const names = { 'X-Token-Names': claims.lineage.names.join(',') };
  return publishedAt === undefined ? names : { ...names, 'X-Revocations': publishedAt };
}

/** GET and HEAD /v3/auth/tokens: validates the token of X-Subject-Token (decisions 2, Version 3). */
export async function getV3Token(
  context: Context,
  request: ApiRequest,
  caller: Caller,
): Promise<ApiResponse> {
  const token = await validate(context, caller, {
    tokenId: subjectTokenId(request),
    understandsRestrictions: understands(request.headers, 'restrictions'),
  });
  return await context.tokenAnswers.get(FOUND, token);
}

/** The same for a token that is known. */
export function getKnownV3Token(
  context: Context,
  { headers }: Pick<ApiRequest, 'headers'>,
): ApiResponse | undefined {
  const tokenId = headers['x-subject-token'];
  if (typeof tokenId !== 'string') return undefined;
  const understandsRestrictions = understands(headers, 'restrictions');
  return findKnownValidation(context, { headers, tokenId, form: FOUND, understandsRestrictions });
}

/** What a caller says that it understands of what was not always there; who does not say it gets no answer that has it. */
function understands(headers: ApiRequest['headers'], what: string): boolean {
  const said = headers['x-zonewright-understands'];
  return typeof said === 'string' && said.split(',').some((word) => word.trim() === what);
}

/** The token that a version 3 request is about. @throws ServiceError (invalid) when there is none. */
export function subjectTokenId({ headers }: ApiRequest): string {
  const tokenId = headers['x-subject-token'];
  if (typeof tokenId !== 'string' || tokenId === '') {
    throw invalidRequest('the header X-Subject-Token is required');
  }
  return tokenId;
}
