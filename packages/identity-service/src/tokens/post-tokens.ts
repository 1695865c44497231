import type { Context } from '../context/context.js';
import { rescope, unauthenticated } from '@zonewright/accounts';
import type { ApiRequest, ApiResponse } from '../http/route.js';
import { represent } from '@zonewright/http-api';
import { noteAccess, noteClaim } from './audit-login.js';
import { authenticate } from './authenticate.js';
import { countRescope } from './count-rescope.js';

import { readAuthBody } from './read-auth-body.js';
import { ACCESS } from '../representation/render-access.js';
import { NO_STORE_HEADERS } from './token-headers.js';

/** POST /v2.0/tokens: Authenticate or, with a token in the body, Rescope Token (Identity s4). */
export async function postTokens(context: Context, request: ApiRequest): Promise<ApiResponse> {
  const { subject, scope } = readAuthBody(request.body);
  noteClaim(request, subject);
  if (subject.method === 'token') await countRescope(context, subject.tokenId);
  const access =
    subject.method === 'token'
      ? await rescope(context, checkedTokenId(request, subject.tokenId), scope)
      : await authenticate(context, { credentials: subject, scope, source: request.source });
  noteAccess(request, access);
  return { status: 200, headers: NO_STORE_HEADERS, body: represent(ACCESS, access) };
}

/** X-Auth-Token may be absent, or be the token that is rescoped (decisions 2, Rescope). */
function checkedTokenId({ headers }: ApiRequest, tokenId: string): string {
  const header = headers['x-auth-token'];
  if (header !== undefined && header !== tokenId) throw unauthenticated();
  return tokenId;
}
