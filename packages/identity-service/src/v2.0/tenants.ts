import {
  findTenantOfUserById,
  findTenantOfUserByName,
  invalidRequest,
  listTenantsOfUser,
  notFound,
} from '@zonewright/accounts';
import { represent } from '@zonewright/http-api';
import type { Context } from '../context/context.js';
import { readLimit, readParameter } from '../http/parameters.js';
import type { ApiRequest, ApiResponse, Caller } from '../http/route.js';
import { type TenantPage, TENANTS } from '../representation/tenants.js';

/** Page size (Identity s4, List Tenants). */
const LIMIT = { default: 100, maximum: 1000 };

/** GET /v2.0/tenants: the tenants on which the token's user holds a role, sorted by id. */
export async function listTenants(
  context: Context,
  request: ApiRequest,
  { account }: Caller,
): Promise<ApiResponse> {
  const name = readParameter(request.query, 'name');
  const page =
    name === undefined
      ? await listPage(context, request, account.id)
      : await listByName(context, request.query, { userId: account.id, name });
  return { status: 200, body: represent(TENANTS, page) };
}

async function listPage(
  { db }: Context,
  { query, baseUrl }: ApiRequest,
  userId: string,
): Promise<TenantPage> {
  const limit = readLimit(query, LIMIT);
  const marker = readParameter(query, 'marker');
  if (marker !== undefined && (await findTenantOfUserById(db, userId, marker)) === undefined) {
    throw notFound('Marker in request not found');
  }
  // One more item than the page holds shows whether there is another page.
  const found = await listTenantsOfUser(db, userId, { after: marker, limit: limit + 1 });
  const tenants = found.slice(0, limit);
  const last = tenants.at(-1);
  if (found.length <= limit || last === undefined) return { tenants, nextUrl: undefined };
  const next = new URLSearchParams({ limit: String(limit), marker: last.id });
  return { tenants, nextUrl: `${baseUrl}/v2.0/tenants?${next.toString()}` };
}

async function listByName(
  { db }: Context,
  query: URLSearchParams,
  { userId, name }: { readonly userId: string; readonly name: string },
): Promise<TenantPage> {
  if (query.has('limit') || query.has('marker')) {
    throw invalidRequest('name is mutually exclusive with limit and marker');
  }
  const tenant = await findTenantOfUserByName(db, userId, name);
  return { tenants: tenant === undefined ? [] : [tenant], nextUrl: undefined };
}
