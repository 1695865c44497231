import type { Context } from '../context.js';
import { unauthenticated } from '../http/problems.js';
import type { ApiRequest, ApiResponse } from '../http/route.js';
import { represent } from '@zonewright/http-api';
import { findTenant, type TenantReference } from '../tenants/tenant-store.js';
import { type Access, describeAccess } from '../tokens/access.js';
import { noteAccess, noteClaim } from '../tokens/audit-login.js';
import { authenticate } from '../tokens/authenticate.js';
import { countRescope } from '../tokens/count-rescope.js';

import { mayUse, resolveToken } from '../tokens/resolve-token.js';
import { NO_STORE_HEADERS } from '../tokens/token-headers.js';
import { nameDerived } from '../tokens/token-lineage.js';
import { readV3AuthBody } from './read-v3-auth-body.js';
import { V3_TOKEN } from './render-v3-token.js';

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

/** In version 3 a new scope is a new token; it ends when the old one does, whatever ends that. */
async function deriveToken(
  context: Context,
  tokenId: string,
  scope: TenantReference | undefined,
): Promise<Access> {
  const token = await resolveToken(context, tokenId);
  if (token === undefined || token.isBlocked) throw unauthenticated();
  const { account } = token;
  const tenant = scope && (await findTenant(context.db, scope));
  if (scope !== undefined && !mayUse(account, tenant)) throw unauthenticated();
  const { id, claims } = await context.signer.sign({
    // Of the account with which the old one was found valid: it may have changed since.
    jti: nameDerived(token.claims.jti, account.credentialGeneration),
    userId: account.id,
    tenantId: tenant?.id,
    method: 'token',
    issuedAt: token.claims.issuedAt,
    expiresAt: token.claims.expiresAt,
  });
  return await describeAccess(context, { id, claims, account, tenant });
}
