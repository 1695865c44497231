import { type Database, queryRow, queryRows } from '@zonewright/database';

/** A service that a tenant may use. */
export interface Activation {
  readonly tenantId: string;
  readonly tenantName: string;
  readonly serviceId: string;
  readonly serviceName: string;
  readonly activatedAt: Date;
}

/** @returns whether it was not active before. */
export async function insertActivation(
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

/** @returns whether it was active. */
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

/** The one service is active for each tenant for which the other is. */
export async function copyActivations(db: Database, fromId: string, toId: string): Promise<void> {
  await db.raw(
    `insert into identity.tenant_services (tenant_id, service_id)
     select a.tenant_id, ? from identity.tenant_services as a where a.service_id = ?
     on conflict do nothing`,
    [toId, fromId],
  );
}

/** The activations of a tenant, of a service, or all. */
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
