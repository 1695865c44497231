import { type Account, listAllTenantsOfUser } from '@zonewright/accounts';
import type { Context } from '../context/context.js';
import type { ApiRequest, ApiResponse, Caller } from '../http/route.js';
import { represent } from '@zonewright/http-api';
import { V3_PROJECTS } from '../representation/render-v3-token.js';

/** GET /v3/auth/projects: version 3's List Tenants. */
export async function listV3Projects(
  context: Context,
  request: ApiRequest,
  { account }: Caller,
): Promise<ApiResponse> {
  return await answerV3Projects(context, request, account);
}

/** The list of a user's projects, under the path that was asked. */
export async function answerV3Projects(
  { db }: Context,
  { baseUrl, path }: ApiRequest,
  account: Account,
): Promise<ApiResponse> {
  const tenants = await listAllTenantsOfUser(db, account.id);
  const projects = tenants.map((tenant) => ({
    tenant,
    selfUrl: `${baseUrl}/v3/projects/${tenant.id}`,
  }));
  const selfUrl = baseUrl + path;
  return { status: 200, body: represent(V3_PROJECTS, { projects, selfUrl }) };
}
