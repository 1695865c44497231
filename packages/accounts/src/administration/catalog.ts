import type { Database } from '@zonewright/database';
import { activateService, deactivateService } from '../catalog/activations.js';
import { listActivations } from '../tenants/activation-store.js';
import { type Endpoint, listEndpoints } from '../catalog/endpoints.js';
import { isOfDns, listServices, type Service } from '../roles/service-store.js';
import { notFound } from '../shared/problems.js';
import { listTenantPage, type Tenant, type TenantPage } from '../tenants/tenant-store.js';
import { type Administrator, refused } from './administrator.js';
import { getManagedTenant, type TaggedTenant, withTags } from './tenants.js';

/**
 * Lists the services of the catalog. The administrator of an account domain sees the services that every project may
 * have.
 */
export async function listServicesAs(
  db: Database,
  { accountDomainId }: Administrator,
): Promise<readonly Service[]> {
  const services = await listServices(db);
  if (accountDomainId === undefined) return services;
  return services.filter((service) => service.enabled && (service.isGlobal || isOfDns(service)));
}

/** Lists the endpoints of the services that the administrator sees. */
export async function listEndpointsAs(
  db: Database,
  administrator: Administrator,
): Promise<readonly Endpoint[]> {
  const endpoints = await listEndpoints(db, undefined);
  if (administrator.accountDomainId === undefined) return endpoints;
  const services = await listServicesAs(db, administrator);
  const visible = new Set(services.map(({ id }) => id));
  return endpoints.filter(({ serviceId, enabled }) => enabled && visible.has(serviceId));
}

/** @throws ServiceError not-found */
export async function getEndpointAs(
  db: Database,
  administrator: Administrator,
  id: string,
): Promise<Endpoint> {
  const endpoint = (await listEndpointsAs(db, administrator)).find((each) => each.id === id);
  if (endpoint === undefined) throw notFound('endpoint not found');
  return endpoint;
}

/** Endpoint of a service that a project may use (Keystone, OS-EP-FILTER). */
export interface EndpointOfProject {
  readonly tenantId: string;
  readonly endpointId: string;
}

/**
 * Activates the service of an endpoint for a project. Does nothing if it is active.
 *
 * @throws ServiceError not-found, forbidden for another service than DNS
 */
export async function activateEndpointAs(
  trx: Database,
  administrator: Administrator,
  place: EndpointOfProject,
): Promise<void> {
  await activateService(trx, await resolveActivation(trx, administrator, place));
}

/** @throws ServiceError not-found, also if the service is not active; forbidden for another service than DNS */
export async function deactivateEndpointAs(
  trx: Database,
  administrator: Administrator,
  place: EndpointOfProject,
): Promise<void> {
  await deactivateService(trx, await resolveActivation(trx, administrator, place));
}

async function resolveActivation(
  db: Database,
  administrator: Administrator,
  { tenantId, endpointId }: EndpointOfProject,
): Promise<{ readonly tenant: string; readonly service: string }> {
  const tenant = await getManagedTenant(db, administrator, tenantId);
  const { serviceId } = await getEndpointAs(db, administrator, endpointId);
  if (administrator.accountDomainId !== undefined) {
    const services = await listServicesAs(db, administrator);
    const service = services.find(({ id }) => id === serviceId);
    if (service === undefined || !isOfDns(service)) {
      throw refused('only the operator can activate and deactivate another service than DNS');
    }
  }
  return { tenant: tenant.id, service: serviceId };
}

/** @throws ServiceError not-found if the service of the endpoint is not active for the project */
export async function checkActivationAs(
  db: Database,
  administrator: Administrator,
  { tenantId, endpointId }: EndpointOfProject,
): Promise<void> {
  const { id } = await getManagedTenant(db, administrator, tenantId);
  const { serviceId } = await getEndpointAs(db, administrator, endpointId);
  const active = await listActivations(db, { tenantId: id, serviceId });
  if (active.length === 0) throw notFound('the service of the endpoint is not active');
}

/** Lists the endpoints of the services that are active for a project. @throws ServiceError not-found */
export async function listActiveEndpointsAs(
  db: Database,
  administrator: Administrator,
  tenantId: string,
): Promise<readonly Endpoint[]> {
  const { id } = await getManagedTenant(db, administrator, tenantId);
  const active = new Set(
    (await listActivations(db, { tenantId: id })).map(({ serviceId }) => serviceId),
  );
  const endpoints = await listEndpointsAs(db, administrator);
  return endpoints.filter(({ serviceId }) => active.has(serviceId));
}

/**
 * Returns a page of the projects that the administrator manages and that use the service of an endpoint.
 *
 * @throws ServiceError not-found
 */
export async function listTenantsWithEndpointAs(
  db: Database,
  administrator: Administrator,
  {
    endpointId,
    ...page
  }: Pick<TenantPage, 'names' | 'after' | 'limit'> & { readonly endpointId: string },
): Promise<readonly TaggedTenant[]> {
  const { serviceId } = await getEndpointAs(db, administrator, endpointId);
  const { accountDomainId } = administrator;
  const tenants: Tenant[] = await listTenantPage(db, {
    ...{ accountDomainId, serviceId, enabled: undefined },
    ...page,
  });
  return await withTags(db, tenants);
}
