import { type Endpoint, listEndpointsAs, listServicesAs, notFound } from '@zonewright/accounts';
import type { Context } from '../context/context.js';
import { readParameter } from '../http/parameters.js';
import type { ApiRequest, ApiResponse, Caller } from '../http/route.js';
import { administratorOf } from './change-accounts.js';
import { answer, answerWhole } from '../http/lists.js';
import {
  renderRegion,
  renderService,
  toListedEndpoints,
} from '../representation/administration.js';

/** GET /v3/services: services as entered by the operator. */
export async function listServices(
  context: Context,
  request: ApiRequest,
  caller: Caller,
): Promise<ApiResponse> {
  const name = readParameter(request.query, 'name');
  const type = readParameter(request.query, 'type');
  const all = await listServicesAs(context.db, administratorOf(context, caller));
  const services = all.filter(
    (service) =>
      (name === undefined || service.name === name) &&
      (type === undefined || service.types.includes(type)),
  );
  const items = services.map((service) => renderService(service, request.baseUrl));
  return answerWhole(request, { member: 'services', items });
}

export async function getService(
  context: Context,
  { params, baseUrl }: ApiRequest,
  caller: Caller,
): Promise<ApiResponse> {
  const services = await listServicesAs(context.db, administratorOf(context, caller));
  const service = services.find(({ id }) => id === params['serviceId']);
  if (service === undefined) throw notFound('service not found');
  return answer(200, { service: renderService(service, baseUrl) });
}

/** GET /v3/endpoints: one entry for each URL, as in the catalog. */
export async function listEndpoints(
  context: Context,
  request: ApiRequest,
  caller: Caller,
): Promise<ApiResponse> {
  const wanted = {
    interface: readParameter(request.query, 'interface'),
    service_id: readParameter(request.query, 'service_id'),
    region_id: readParameter(request.query, 'region_id') ?? readParameter(request.query, 'region'),
  };
  const endpoints = await endpointsFor(context, { caller, baseUrl: request.baseUrl });
  const items = endpoints.filter((endpoint) =>
    (['interface', 'service_id', 'region_id'] as const).every(
      (member) => wanted[member] === undefined || endpoint[member] === wanted[member],
    ),
  );
  return answerWhole(request, { member: 'endpoints', items });
}

export async function getEndpoint(
  context: Context,
  { params, baseUrl }: ApiRequest,
  caller: Caller,
): Promise<ApiResponse> {
  const endpoints = await endpointsFor(context, { caller, baseUrl });
  const endpoint = endpoints.find(({ id }) => id === params['endpointId']);
  if (endpoint === undefined) throw notFound('endpoint not found');
  return answer(200, { endpoint });
}

/** GET /v3/regions: the regions of the catalog, for every caller. */
export async function listRegions(
  { directory }: Context,
  request: ApiRequest,
): Promise<ApiResponse> {
  const names = await regionNames(directory);
  const items = names.map((name) => renderRegion(name, request.baseUrl));
  return answerWhole(request, { member: 'regions', items });
}

export async function getRegion(
  { directory }: Context,
  { params, baseUrl }: ApiRequest,
): Promise<ApiResponse> {
  const name = (await regionNames(directory)).find((known) => known === params['regionId']);
  if (name === undefined) throw notFound('region not found');
  return answer(200, { region: renderRegion(name, baseUrl) });
}

async function regionNames(directory: Context['directory']): Promise<string[]> {
  const services = await directory.listServices();
  const names = services.flatMap(({ endpoints }) => endpoints.map(({ region }) => region));
  return [...new Set(names)].sort();
}

async function endpointsFor(
  context: Context,
  { caller, baseUrl }: { readonly caller: Caller; readonly baseUrl: string },
) {
  const administrator = administratorOf(context, caller);
  const endpoints: readonly Endpoint[] = await listEndpointsAs(context.db, administrator);
  return endpoints.flatMap((endpoint) => toListedEndpoints(endpoint, baseUrl));
}
