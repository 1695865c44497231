import {
  activateEndpointAs,
  checkActivationAs,
  deactivateEndpointAs,
  type EndpointOfProject,
  listActiveEndpointsAs,
  listTenantsWithEndpointAs,
} from '@zonewright/accounts';
import type { Context } from '../context/context.js';
import { answerList, answerWhole, readNames } from '../http/lists.js';
import type { ApiRequest, ApiResponse, Caller } from '../http/route.js';
import {
  endpointIdOf,
  renderProject,
  toListedEndpoints,
} from '../representation/administration.js';
import { administratorOf, changeAccounts } from './change-accounts.js';

/** GET /v3/OS-EP-FILTER/projects/{projectId}/endpoints */
export async function listEndpointsOfProject(
  context: Context,
  request: ApiRequest,
  caller: Caller,
): Promise<ApiResponse> {
  const { tenantId } = placeOf(request);
  const administrator = administratorOf(context, caller);
  const endpoints = await listActiveEndpointsAs(context.db, administrator, tenantId);
  const items = endpoints.flatMap((endpoint) => toListedEndpoints(endpoint, request.baseUrl));
  return answerWhole(request, { member: 'endpoints', items });
}

/** GET /v3/OS-EP-FILTER/endpoints/{endpointId}/projects */
export async function listProjectsOfEndpoint(
  context: Context,
  request: ApiRequest,
  caller: Caller,
): Promise<ApiResponse> {
  const { endpointId } = placeOf(request);
  const administrator = administratorOf(context, caller);
  const names = readNames(request.query);
  return await answerList(request, {
    member: 'projects',
    find: (page) =>
      listTenantsWithEndpointAs(context.db, administrator, { endpointId, names, ...page }),
    render: (tenant) => renderProject(tenant, request.baseUrl),
    markerOf: ({ id }) => id,
  });
}

/** GET and HEAD /v3/OS-EP-FILTER/projects/{projectId}/endpoints/{endpointId} */
export async function checkEndpointOfProject(
  context: Context,
  request: ApiRequest,
  caller: Caller,
): Promise<ApiResponse> {
  await checkActivationAs(context.db, administratorOf(context, caller), placeOf(request));
  return { status: 204 };
}

/** PUT ...: activates the service of the endpoint for the project, as the operator's command does. */
export async function addEndpointToProject(
  context: Context,
  request: ApiRequest,
  caller: Caller,
): Promise<ApiResponse> {
  return await changeActivation(context, request, { caller, change: activateEndpointAs });
}

/** DELETE ...: ends the service for the project. Zones stay, and nameservers answer with them. */
export async function removeEndpointFromProject(
  context: Context,
  request: ApiRequest,
  caller: Caller,
): Promise<ApiResponse> {
  return await changeActivation(context, request, { caller, change: deactivateEndpointAs });
}

async function changeActivation(
  context: Context,
  request: ApiRequest,
  { caller, change }: { readonly caller: Caller; readonly change: typeof activateEndpointAs },
): Promise<ApiResponse> {
  const place = placeOf(request);
  request.audit.note(place);
  await changeAccounts(context, request, {
    caller,
    change: (trx, administrator) => change(trx, administrator, place),
  });
  return { status: 204 };
}

/** Reads the ids of the path. Each URL of an endpoint has an id in lists. */
function placeOf({ params }: ApiRequest): EndpointOfProject {
  const { projectId: tenantId = '', endpointId = '' } = params;
  return { tenantId, endpointId: endpointIdOf(endpointId) };
}
