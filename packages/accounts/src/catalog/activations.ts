import { type Database, queryRow, queryRows } from '@zonewright/database';
import { ServiceError } from '@zonewright/service-kit';
import { getService, listServices, type Service } from '../roles/service-store.js';
import { getTenant } from '../tenants/tenants.js';

/** Ids or names of a tenant and a service. */
interface ActivationInput {
  readonly tenant: string;
  readonly service: string;
}

interface ActivationIds {
  readonly tenantId: string;
  readonly serviceId: string;
}

/** Adds the service to the tenant's catalogs. Does nothing if it is already active. @throws ServiceError not-found */
export async function activateService(
  db: Database,
  input: ActivationInput,
): Promise<ActivationIds> {
  const { ids, faces } = await resolve(db, input);
  for (const { id } of faces) await insertActivation(db, ids.tenantId, id);
  return ids;
}

/** @throws ServiceError not-found, also if the service is not active for the tenant */
export async function deactivateService(
  db: Database,
  input: ActivationInput,
): Promise<ActivationIds> {
  const { ids, faces } = await resolve(db, input);
  const wasActive = await deleteActivation(db, ids.tenantId, ids.serviceId);
  for (const { id } of faces) await deleteActivation(db, ids.tenantId, id);
  if (!wasActive) {
    throw new ServiceError(
      'not-found',
      `the service "${input.service}" is not active for the tenant "${input.tenant}"`,
    );
  }
  return ids;
}

/** Lists the activations that match all given members. @throws ServiceError not-found */
export async function listActivationsOf(
  db: Database,
  filter: { readonly [K in keyof ActivationInput]?: string | undefined },
): Promise<Activation[]> {
  const { tenant, service } = filter;
  return await listActivations(db, {
    tenantId: tenant === undefined ? undefined : (await getTenant(db, tenant)).id,
    serviceId: service === undefined ? undefined : (await getService(db, service)).id,
  });
}

async function resolve(db: Database, input: ActivationInput) {
  const service = await getService(db, input.service);
  const tenant = await getTenant(db, input.tenant);
  const ids: ActivationIds = { tenantId: tenant.id, serviceId: service.id };
  return { ids, faces: await listFaces(db, service) };
}

/** Catalog types of the DNS service: two for old clients, and one for those of Designate v2. */
const DNS_TYPES: readonly string[] = ['ext:dns', 'hpext:dns', 'dns'];

/** Type for clients of Designate v2; its URL has no version. */
export const DESIGNATE_TYPE = 'dns';

/**
 * Lists the catalog entries of the same service, including this one. A tenant has all entries of the DNS service or
 * none, since each of them gives access to it.
 */
async function listFaces(db: Database, service: Service): Promise<readonly Service[]> {
  if (!isOfDns(service)) return [service];
  const others = (await listServices(db)).filter(({ id }) => id !== service.id);
  return [service, ...others.filter(isOfDns)];
}

function isOfDns({ types }: Service): boolean {
  return types.some((type) => DNS_TYPES.includes(type));
}

/** Service that a tenant may use. */
export interface Activation {
  readonly tenantId: string;
  readonly tenantName: string;
  readonly serviceId: string;
  readonly serviceName: string;
  readonly activatedAt: Date;
}

/** @returns whether it was inactive before */
async function insertActivation(
  db: Database,
  tenantId: string,
  serviceId: string,
): Promise<boolean> {
  const row = await queryRow(
    db,
    `insert into identity.tenant_services (tenant_id, service_id) values (?, ?)
     on conflict do nothing returning tenant_id`,
    [tenantId, serviceId],
  );
  return row !== undefined;
}

/** @returns whether it was active */
async function deleteActivation(
  db: Database,
  tenantId: string,
  serviceId: string,
): Promise<boolean> {
  const row = await queryRow(
    db,
    `delete from identity.tenant_services as a where a.tenant_id = ? and a.service_id = ? returning a.tenant_id`,
    [tenantId, serviceId],
  );
  return row !== undefined;
}

/** Activates a service for each tenant that has the other one. */
export async function copyActivations(db: Database, fromId: string, toId: string): Promise<void> {
  await db.raw(
    `insert into identity.tenant_services (tenant_id, service_id)
     select a.tenant_id, ? from identity.tenant_services as a where a.service_id = ?
     on conflict do nothing`,
    [toId, fromId],
  );
}

/** Lists the activations of a tenant or a service, or all activations. */
async function listActivations(
  db: Database,
  filter: { readonly tenantId?: string | undefined; readonly serviceId?: string | undefined },
): Promise<Activation[]> {
  const { tenantId = null, serviceId = null } = filter;
  return await queryRows<Activation>(
    db,
    `select a.tenant_id as "tenantId", t.name as "tenantName", a.service_id as "serviceId",
            s.name as "serviceName", a.activated_at as "activatedAt"
       from identity.tenant_services as a
       join identity.tenants as t on t.id = a.tenant_id
       join identity.services as s on s.id = a.service_id
      where (?::text is null or a.tenant_id = ?) and (?::text is null or a.service_id = ?)
      order by t.name, s.name`,
    [tenantId, tenantId, serviceId, serviceId],
  );
}
