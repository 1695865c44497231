import { getAccountDomainAs, getUserAs, listAccountDomainsAs } from '@zonewright/accounts';
import type { Context } from '../context/context.js';
import { answer, answerList, answerWhole, readFlag } from '../http/lists.js';
import { readParameter } from '../http/parameters.js';
import type { ApiRequest, ApiResponse, Caller } from '../http/route.js';
import { renderDomain } from '../representation/administration.js';
import { administratorOf } from './change-accounts.js';

export async function listDomains(
  context: Context,
  request: ApiRequest,
  caller: Caller,
): Promise<ApiResponse> {
  const administrator = administratorOf(context, caller);
  const { query, baseUrl } = request;
  const filter = { name: readParameter(query, 'name'), enabled: readFlag(query, 'enabled') };
  return await answerList(request, {
    member: 'domains',
    find: (page) => listAccountDomainsAs(context.db, administrator, { ...filter, ...page }),
    render: (domain) => renderDomain(domain, baseUrl),
    markerOf: ({ id }) => id,
  });
}

export async function getDomain(
  { db, settings }: Context,
  { params, baseUrl }: ApiRequest,
  { account }: Caller,
): Promise<ApiResponse> {
  const id = params['domainId'] ?? '';
  const domain = await getAccountDomainAs(db, account, { id, rules: settings.administration });
  return answer(200, { domain: renderDomain(domain, baseUrl) });
}

/** GET /v3/auth/domains: the caller's own domain, if the caller holds a role on it. */
export async function listOwnDomains(
  { db, settings }: Context,
  request: ApiRequest,
  { account }: Caller,
): Promise<ApiResponse> {
  const { id } = account.domain;
  const holdsRole = account.assignments.some(({ tenantId }) => tenantId === undefined);
  const domains = holdsRole
    ? [await getAccountDomainAs(db, account, { id, rules: settings.administration })]
    : [];
  const items = domains.map((domain) => renderDomain(domain, request.baseUrl));
  return answerWhole(request, { member: 'domains', items });
}

/** Returns an empty list for clients that look for groups, which this service does not have. */
export function listGroups(context: Context, request: ApiRequest, caller: Caller): ApiResponse {
  administratorOf(context, caller);
  return answerWhole(request, { member: 'groups', items: [] });
}

export async function listGroupsOfUser(
  { db, settings }: Context,
  request: ApiRequest,
  { account }: Caller,
): Promise<ApiResponse> {
  const id = request.params['userId'] ?? '';
  await getUserAs(db, account, { id, rules: settings.administration });
  return answerWhole(request, { member: 'groups', items: [] });
}
