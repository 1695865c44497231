import type { Context } from '../context/context.js';
import type { ApiRequest, ApiResponse } from '../http/route.js';
import { represent } from '@zonewright/http-api';
import { noteAccess, noteClaim } from '../tokens/audit-login.js';
import { authenticate } from '../tokens/authenticate.js';
import { countRescope } from '../tokens/count-rescope.js';
import { deriveToken } from '@zonewright/accounts';
import { NO_STORE_HEADERS } from '../tokens/token-headers.js';
import { readV3AuthBody } from './read-v3-auth-body.js';
import { V3_TOKEN } from '../representation/render-v3-token.js';

/** POST /v3/auth/tokens (decisions 2, Version 3). */
export async function postV3Token(context: Context, request: ApiRequest): Promise<ApiResponse> {
  const { subject, scope } = readV3AuthBody(request.body);
  noteClaim(request, subject);
  if (subject.method === 'token') await countRescope(context, subject.tokenId);
  const access =
    subject.method === 'token'
      ? await deriveToken(context, subject.tokenId, scope)
      : await authenticate(context, { credentials: subject, scope, source: request.source });
  noteAccess(request, access);
  return {
    status: 201,
    headers: { ...NO_STORE_HEADERS, 'X-Subject-Token': access.tokenId },
    body: represent(V3_TOKEN, access),
  };
}
