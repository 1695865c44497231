import { type Access, invalidRequest, type TenantReference } from '@zonewright/accounts';
import { represent } from '@zonewright/http-api';
import type { Context } from '../context/context.js';
import { authenticate, NO_STORE_HEADERS, noteAccess, noteClaim } from '../http/login.js';
import type { ApiRequest, ApiResponse } from '../http/route.js';
import { ACCESS_WITHOUT_CATALOG } from '../representation/access.js';

const OBJECT_STORE_TYPE = 'object-store';

/** GET on the four root paths: Legacy Authentication of older object-storage clients (Identity s4). */
export async function legacyAuthenticate(
  context: Context,
  request: ApiRequest,
): Promise<ApiResponse> {
  const { headers, path } = request;
  const { userName, scope } = readUser(requiredHeader(headers['x-auth-user'], 'X-Auth-User'));
  const password = requiredHeader(headers['x-auth-key'], 'X-Auth-Key');
  const credentials = { method: 'password', user: { name: userName }, password } as const;
  noteClaim(request, credentials);
  const access = await authenticate(context, {
    credentials,
    scope,
    head: request,
    // Each path has its own limit (Identity s8).
    limit: { name: 'legacyAuthentication', scope: path },
  });
  noteAccess(request, access);
  return {
    status: 200,
    headers: {
      ...NO_STORE_HEADERS,
      'X-Auth-Token': access.tokenId,
      'X-Storage-Token': access.tokenId,
      ...storageUrlHeader(access),
    },
    body: represent(ACCESS_WITHOUT_CATALOG, access),
  };
}

/** Reads `<tenant id>:<user>`, `<tenant name>:<user>`, or a user without a scope (D-ID). */
function readUser(header: string): {
  readonly userName: string;
  readonly scope: TenantReference | undefined;
} {
  const colon = header.indexOf(':');
  return colon === -1
    ? { userName: header, scope: undefined }
    : { userName: header.slice(colon + 1), scope: { idOrName: header.slice(0, colon) } };
}

function requiredHeader(value: string | string[] | undefined, name: string): string {
  if (typeof value !== 'string') throw invalidRequest(`the header ${name} is required`);
  // Node.js decodes headers as Latin-1; clients send names and passwords in UTF-8.
  return Buffer.from(value, 'latin1').toString('utf8');
}

function storageUrlHeader({ catalog }: Access): Record<string, string> {
  const service = catalog.find((entry) => entry.type === OBJECT_STORE_TYPE);
  const url = service?.endpoints[0]?.publicUrl;
  return url === undefined ? {} : { 'X-Storage-Url': url };
}
