import type { Context } from '../context.js';
import { readLimit } from '../http/read-limit.js';
import { readParameter } from '../http/parameter.js';
import { invalidRequest, notFound } from '../http/problems.js';
import type { ApiRequest, ApiResponse, Caller } from '../http/route.js';
import { represent } from '../representation/resource.js';
import { TENANTS } from './render-tenants.js';
import { findTenantOfUserById, findTenantOfUserByName, listTenantsOfUser } from './tenant-store.js';
import type { Tenant } from './tenant.js';

/** Identity s4, List Tenants. */
const LIMIT = { default: 100, maximum: 1000 };

/** GET /v2.0/tenants: the tenants on which the token's user holds a role, by id. */
export async function listTenants(
  context: Context,
  { query }: ApiRequest,
  { account }: Caller,
): Promise<ApiResponse> {
  const name = readParameter(query, 'name');
  const tenants =
    name === undefined
      ? await listPage(context, query, account.id)
      : await listByName(context, query, { userId: account.id, name });
  return { status: 200, body: represent(TENANTS, tenants) };
}

async function listPage(
  { db }: Context,
  query: URLSearchParams,
  userId: string,
): Promise<Tenant[]> {
  const limit = readLimit(query, LIMIT);
  const marker = readParameter(query, 'marker');
  if (marker !== undefined && (await findTenantOfUserById(db, userId, marker)) === undefined) {
    throw notFound('Marker in request not found');
  }
  return await listTenantsOfUser(db, userId, { after: marker, limit });
}

async function listByName(
  { db }: Context,
  query: URLSearchParams,
  { userId, name }: { readonly userId: string; readonly name: string },
): Promise<Tenant[]> {
  if (query.has('limit') || query.has('marker')) {
    throw invalidRequest('name is mutually exclusive with limit and marker');
  }
  const tenant = await findTenantOfUserByName(db, userId, name);
  return tenant === undefined ? [] : [tenant];
}
