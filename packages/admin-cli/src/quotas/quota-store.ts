import { type Database, queryRow, queryRows } from '@zonewright/database';

/** What is checked of the targets of MX records. */
export const MX_TARGET_CHECKS = ['hosted', 'strict', 'off'] as const;
export type MxTargetCheck = (typeof MX_TARGET_CHECKS)[number];

/** What a tenant may have; null: the default of dns-api. */
export interface Quota {
  readonly tenantId: string;
  readonly tenantName: string;
  readonly maxDomains: number | null;
  /** In each domain. */
  readonly maxDomainRecords: number | null;
  /** That its changes make the database write, a minute. */
  readonly maxWriteOctets: number | null;
  readonly mxTargetCheck: MxTargetCheck | null;
}

const COLUMNS = `t.id as "tenantId", t.name as "tenantName", q.max_domains as "maxDomains",
  q.max_domain_records as "maxDomainRecords", q.max_write_octets as "maxWriteOctets",
  q.mx_target_check as "mxTargetCheck"`;

/** Of any tenant: one without a row has the defaults. */
export async function findQuota(db: Database, tenantId: string): Promise<Quota | undefined> {
  return await queryRow<Quota>(
    db,
    `select ${COLUMNS} from identity.tenants as t
       left join dns.quotas as q on q.tenant_id = t.id where t.id = ?`,
    [tenantId],
  );
}

/** The tenants that have quotas of their own. */
export async function listQuotas(db: Database): Promise<Quota[]> {
  return await queryRows<Quota>(
    db,
    `select ${COLUMNS} from dns.quotas as q
       join identity.tenants as t on t.id = q.tenant_id order by t.name`,
  );
}

export async function upsertQuota(db: Database, quota: Omit<Quota, 'tenantName'>): Promise<void> {
  await db.raw(
    `insert into dns.quotas as q (tenant_id, max_domains, max_domain_records, max_write_octets, mx_target_check)
     values (?, ?, ?, ?, ?)
     on conflict on constraint quotas_pkey do update
        set max_domains = excluded.max_domains, max_domain_records = excluded.max_domain_records,
            max_write_octets = excluded.max_write_octets, mx_target_check = excluded.mx_target_check`,
    [
      quota.tenantId,
      quota.maxDomains,
      quota.maxDomainRecords,
      quota.maxWriteOctets,
      quota.mxTargetCheck,
    ] as string[],
  );
}

export async function deleteQuota(db: Database, tenantId: string): Promise<void> {
  await db.raw(`delete from dns.quotas as q where q.tenant_id = ?`, [tenantId]);
}
