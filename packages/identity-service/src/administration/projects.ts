import {
  changeTenantAs,
  createTenantAs,
  deleteTenantAs,
  getTenantAs,
  invalidRequest,
  listTenantsAs,
} from '@zonewright/accounts';
import type { Context } from '../context/context.js';
import { readParameter } from '../http/parameters.js';
import type { ApiRequest, ApiResponse, Caller } from '../http/route.js';
import { NEW_PROJECT, PROJECT_CHANGE } from '../schemas/administration-requests.js';
import { administratorOf, changeAccounts } from './change-accounts.js';
import { answer, answerList, answerWhole, namesOf, readFlag, readNames } from '../http/lists.js';
import { renderProject } from '../representation/administration.js';

export async function listProjects(
  context: Context,
  request: ApiRequest,
  caller: Caller,
): Promise<ApiResponse> {
  const administrator = administratorOf(context, caller);
  const { query, baseUrl } = request;
  const filter = {
    accountDomainId: readParameter(query, 'domain_id'),
    names: readNames(query),
    enabled: readFlag(query, 'enabled'),
    tags: {
      all: readTags(query, 'tags'),
      any: readTags(query, 'tags-any'),
      notAll: readTags(query, 'not-tags'),
      notAny: readTags(query, 'not-tags-any'),
    },
  };
  return await answerList(request, {
    member: 'projects',
    find: (page) => listTenantsAs(context.db, administrator, { ...filter, ...page }),
    render: (tenant) => renderProject(tenant, baseUrl),
    markerOf: ({ id }) => id,
  });
}

export async function getProject(
  context: Context,
  request: ApiRequest,
  caller: Caller,
): Promise<ApiResponse> {
  const tenant = await getNamedProject(context, request, caller);
  return answer(200, { project: renderProject(tenant, request.baseUrl) });
}

/** GET /v3/projects/{projectId}/tags. Tags are changed with the project. */
export async function listProjectTags(
  context: Context,
  request: ApiRequest,
  caller: Caller,
): Promise<ApiResponse> {
  const { tags } = await getNamedProject(context, request, caller);
  return answerWhole(request, { member: 'tags', items: tags });
}

async function getNamedProject(
  { db, settings }: Context,
  { params }: ApiRequest,
  { account }: Caller,
) {
  const id = params['projectId'] ?? '';
  return await getTenantAs(db, account, { id, rules: settings.administration });
}

export async function createProject(
  context: Context,
  request: ApiRequest,
  caller: Caller,
): Promise<ApiResponse> {
  const { domain_id, parent_id, enabled = true, ...rest } = NEW_PROJECT.read(request.body);
  requireFlat(parent_id, domain_id ?? caller.account.domain.id);
  const { name, description, tags, extra } = rest;
  const wish = { name, description, tags, extra, enabled, accountDomainId: domain_id };
  const tenant = await changeAccounts(context, request, {
    caller,
    change: (trx, administrator) => createTenantAs(trx, administrator, wish),
  });
  request.audit.note({ id: tenant.id });
  return answer(201, { project: renderProject(tenant, request.baseUrl) });
}

export async function updateProject(
  context: Context,
  request: ApiRequest,
  caller: Caller,
): Promise<ApiResponse> {
  const id = request.params['projectId'] ?? '';
  const { name, description, tags, enabled, extra } = PROJECT_CHANGE.read(request.body);
  request.audit.note({ id, changed: namesOf({ name, description, tags, enabled, ...extra }) });
  const tenant = await changeAccounts(context, request, {
    caller,
    change: (trx, administrator) =>
      changeTenantAs(trx, administrator, {
        id,
        change: { name, description, tags, extra, enabled },
      }),
  });
  return answer(200, { project: renderProject(tenant, request.baseUrl) });
}

/** Reads comma-separated tags. */
function readTags(query: URLSearchParams, name: string): readonly string[] | undefined {
  return readParameter(query, name)?.split(',');
}

/** Requires that the parent of a project is its domain. @throws ServiceError invalid */
function requireFlat(parentId: string | undefined, domainId: string): void {
  if (parentId === undefined || parentId === domainId) return;
  throw invalidRequest(
    'project.parent_id must be the domain of the project: projects cannot contain projects',
  );
}

export async function deleteProject(
  context: Context,
  request: ApiRequest,
  caller: Caller,
): Promise<ApiResponse> {
  const id = request.params['projectId'] ?? '';
  request.audit.note({ id });
  await changeAccounts(context, request, {
    caller,
    change: (trx, administrator) => deleteTenantAs(trx, administrator, id),
  });
  return { status: 204 };
}
