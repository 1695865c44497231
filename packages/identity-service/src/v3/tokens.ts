import {
  deriveToken,
  describeAccess,
  type DescribedToken,
  invalidRequest,
  revoke,
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
import type { AnswerForm } from '../representation/token-answers.js';
import { V3_CATALOG, V3_TOKEN } from '../representation/v3-token.js';
import { readV3AuthBody } from './auth-body.js';

/** POST /v3/auth/tokens (D-ID 3). */
export async function postV3Token(context: Context, request: ApiRequest): Promise<ApiResponse> {
  const { subject, scope } = readV3AuthBody(request.body);
  noteClaim(request, subject);
  if (subject.method === 'token') await countRescope(context, subject.tokenId);
  const access =
    subject.method === 'token'
      ? await deriveToken(context, subject.tokenId, scope)
      : await authenticate(context, { credentials: subject, scope, head: request });
  noteAccess(request, access);
  return {
    status: 201,
    headers: {
      ...NO_STORE_HEADERS,
      ...returningClientHeaders(context, request, { subject, access }),
      'X-Subject-Token': access.tokenId,
    },
    body: represent(V3_TOKEN, access),
  };
}

const FOUND: AnswerForm = {
  resource: V3_TOKEN,
  headersOf: (token, publishedAt) => ({
    ...NO_STORE_HEADERS,
    'X-Subject-Token': token.id,
    ...revocationHeaders(token, publishedAt),
  }),
};

/**
 * Returns headers that let a service cache the response for some time (ADR 0019). They contain the names whose
 * revocation ends the token, and the run of the Redis that announces it. Without that run, the response must not be
 * cached.
 */
function revocationHeaders(
  { claims }: DescribedToken,
  publishedAt: string | undefined,
): Readonly<Record<string, string>> {
  const names = { 'X-Token-Names': claims.lineage.names.join(',') };
  return publishedAt === undefined ? names : { ...names, 'X-Revocations': publishedAt };
}

/** GET and HEAD /v3/auth/tokens: validates the token in X-Subject-Token (D-ID-58 3). */
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

/** Returns the response if the token is cached. */
export function getCachedV3Token(
  context: Context,
  { headers }: Pick<ApiRequest, 'headers'>,
): ApiResponse | undefined {
  const tokenId = headers['x-subject-token'];
  if (typeof tokenId !== 'string') return undefined;
  const understandsRestrictions = understands(headers, 'restrictions');
  return findCachedValidation(context, { headers, tokenId, form: FOUND, understandsRestrictions });
}

/** Whether the caller supports a later addition. Other callers do not get it. */
function understands(headers: ApiRequest['headers'], what: string): boolean {
  const said = headers['x-zonewright-understands'];
  return typeof said === 'string' && said.split(',').some((word) => word.trim() === what);
}

/** Returns the token that a version 3 request is about. @throws ServiceError (invalid) if there is none */
function subjectTokenId({ headers }: ApiRequest): string {
  const tokenId = headers['x-subject-token'];
  if (typeof tokenId !== 'string' || tokenId === '') {
    throw invalidRequest('the header X-Subject-Token is required');
  }
  return tokenId;
}

/** DELETE /v3/auth/tokens: revokes the token in X-Subject-Token and returns 204. */
export async function deleteV3Token(
  context: Context,
  request: ApiRequest,
  caller: Caller,
): Promise<ApiResponse> {
  request.audit.note(await revoke(context, caller, subjectTokenId(request)));
  return { status: 204 };
}

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
