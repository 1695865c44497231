import { type Database, queryRow, queryRows } from '@zonewright/database';

/** Service that a tenant may use. */
export interface Activation {
  readonly tenantId: string;
  readonly tenantName: string;
  readonly serviceId: string;
  readonly serviceName: string;
  readonly activatedAt: Date;
}

export async function insertActivations(
  db: Database,
  tenantId: string,
  serviceIds: readonly string[],
): Promise<void> {
  await queryRows(
    db,
    `insert into identity.tenant_services (tenant_id, service_id)
     select ?, s.id from unnest(?::text[]) as s (id) on conflict do nothing`,
    [tenantId, serviceIds],
  );
}

/** Activates the services that every new tenant has. */
export async function insertInitialActivations(db: Database, tenantId: string): Promise<void> {
  await queryRows(
    db,
    `insert into identity.tenant_services (tenant_id, service_id)
     select ?, s.id from identity.services as s where s.for_new_tenants on conflict do nothing`,
    [tenantId],
  );
}

/** @returns whether it was active */
export async function deleteActivation(
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
export async function listActivations(
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
