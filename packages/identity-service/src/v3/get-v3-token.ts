import type { Context } from '../context.js';
import { invalidRequest } from '../http/problems.js';
import type { ApiRequest, ApiResponse, Caller } from '../http/route.js';
import { findKnownValidation } from '../tokens/known-validation.js';
import { NO_STORE_HEADERS } from '../tokens/token-headers.js';
import type { AnswerForm } from '../tokens/token-answers.js';
import { validate } from '../tokens/validate.js';
import { V3_TOKEN } from './render-v3-token.js';

const FOUND: AnswerForm = {
  resource: V3_TOKEN,
  headersOf: ({ id }) => ({ ...NO_STORE_HEADERS, 'X-Subject-Token': id }),
};

/** GET and HEAD /v3/auth/tokens: validates the token of X-Subject-Token (decisions 2, Version 3). */
export async function getV3Token(
  context: Context,
  request: ApiRequest,
  caller: Caller,
): Promise<ApiResponse> {
  const token = await validate(context, caller, subjectTokenId(request));
  return await context.tokenAnswers.get(FOUND, token);
}

/** The same for a token that is known. */
export function getKnownV3Token(
  context: Context,
  { headers }: Pick<ApiRequest, 'headers'>,
): ApiResponse | undefined {
  const tokenId = headers['x-subject-token'];
  if (typeof tokenId !== 'string') return undefined;
  return findKnownValidation(context, { headers, tokenId, form: FOUND });
}

/** The token that a version 3 request is about. @throws ServiceError (invalid) when there is none. */
export function subjectTokenId({ headers }: ApiRequest): string {
  const tokenId = headers['x-subject-token'];
  if (typeof tokenId !== 'string' || tokenId === '') {
    throw invalidRequest('the header X-Subject-Token is required');
  }
  return tokenId;
}
