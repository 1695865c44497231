import { type Database, queryRow, queryRows } from '@zonewright/database';
import type { MxTargetCheck, ZoneRules } from '../request/rules.js';

type Limits = Pick<ZoneRules, 'maxDomains' | 'maxDomainRecords' | 'maxRecordsetRecords'>;
/** Limits with that of recordsets, which are never more than records. */
type TenantLimits = Limits & { readonly maxDomainRecordsets: number };

/** Quotas of a tenant that has none in the database: the defaults of dns-api. */
const DEFAULTS: Quota = {
  maxDomains: null,
  maxDomainRecords: null,
  maxDomainRecordsets: null,
  maxRecordsetRecords: null,
  maxExportRecords: null,
  maxWriteOctets: null,
  mxTargetCheck: null,
};

/** Returns the stored quotas of a tenant. */
export async function getQuota(db: Database, tenantId: string): Promise<Quota> {
  return (await findQuota(db, tenantId)) ?? DEFAULTS;
}

/** Returns the limits of a tenant: its own quotas, or the defaults of the service. */
export async function getLimits(
  db: Database,
  tenantId: string,
  defaults: Limits,
): Promise<TenantLimits> {
  const quota = await getQuota(db, tenantId);
  const maxDomainRecords = quota.maxDomainRecords ?? defaults.maxDomainRecords;
  return {
    maxDomains: quota.maxDomains ?? defaults.maxDomains,
    maxDomainRecords,
    maxDomainRecordsets: quota.maxDomainRecordsets ?? maxDomainRecords,
    maxRecordsetRecords: quota.maxRecordsetRecords ?? defaults.maxRecordsetRecords,
  };
}

type QuotaChange = { readonly [Member in keyof Quota]?: Quota[Member] | undefined };

/** Changes the given members. @returns the new quotas */
export async function changeQuota(
  db: Database,
  tenantId: string,
  change: QuotaChange,
): Promise<Quota> {
  const quota = await getQuota(db, tenantId);
  const {
    maxDomains = quota.maxDomains,
    maxDomainRecords = quota.maxDomainRecords,
    maxDomainRecordsets = quota.maxDomainRecordsets,
    maxRecordsetRecords = quota.maxRecordsetRecords,
    maxExportRecords = quota.maxExportRecords,
    maxWriteOctets = quota.maxWriteOctets,
    mxTargetCheck = quota.mxTargetCheck,
  } = change;
  const changed = {
    maxDomains,
    maxDomainRecords,
    maxDomainRecordsets,
    maxRecordsetRecords,
    maxExportRecords,
    maxWriteOctets,
    mxTargetCheck,
  };
  await upsertQuota(db, tenantId, changed);
  return changed;
}

/** Resets the quotas to the defaults. */
export async function clearQuota(db: Database, tenantId: string): Promise<Quota> {
  await deleteQuota(db, tenantId);
  return DEFAULTS;
}

/** Quotas of a tenant. Null means the default of dns-api. */
export interface Quota {
  readonly maxDomains: number | null;
  /** Maximum number of records in each domain. */
  readonly maxDomainRecords: number | null;
  /** Maximum number of recordsets in each domain. Null means that only records are counted. */
  readonly maxDomainRecordsets: number | null;
  /** Maximum number of records in each recordset. */
  readonly maxRecordsetRecords: number | null;
  /** Maximum number of records in an export through v2. */
  readonly maxExportRecords: number | null;
  /** Bytes that changes of the tenant may write to the database in a minute. */
  readonly maxWriteOctets: number | null;
  readonly mxTargetCheck: MxTargetCheck | null;
}

const COLUMNS = `q.max_domains as "maxDomains", q.max_domain_records as "maxDomainRecords",
  q.max_domain_recordsets as "maxDomainRecordsets",
  q.max_recordset_records as "maxRecordsetRecords", q.max_export_records as "maxExportRecords",
  q.max_write_octets as "maxWriteOctets", q.mx_target_check as "mxTargetCheck"`;

async function findQuota(db: Database, tenantId: string): Promise<Quota | undefined> {
  return await queryRow<Quota>(db, `select ${COLUMNS} from dns.quotas as q where q.tenant_id = ?`, [
    tenantId,
  ]);
}

/** Returns the quotas of these tenants by id. Tenants without quotas are missing. */
export async function listQuotas(
  db: Database,
  tenantIds: readonly string[],
): Promise<ReadonlyMap<string, Quota>> {
  const rows = await queryRows<Quota & { readonly tenantId: string }>(
    db,
    `select q.tenant_id as "tenantId", ${COLUMNS} from dns.quotas as q where q.tenant_id = any(?::text[])`,
    [tenantIds],
  );
  return new Map(rows.map(({ tenantId, ...quota }) => [tenantId, quota]));
}

async function upsertQuota(db: Database, tenantId: string, quota: Quota): Promise<void> {
  await db.raw(
    `insert into dns.quotas as q (tenant_id, max_domains, max_domain_records, max_write_octets, mx_target_check,
            max_recordset_records, max_export_records, max_domain_recordsets)
     values (?, ?, ?, ?, ?, ?, ?, ?)
     on conflict on constraint quotas_pkey do update
        set max_domains = excluded.max_domains, max_domain_records = excluded.max_domain_records,
            max_write_octets = excluded.max_write_octets, mx_target_check = excluded.mx_target_check,
            max_recordset_records = excluded.max_recordset_records, max_export_records = excluded.max_export_records,
            max_domain_recordsets = excluded.max_domain_recordsets`,
    [
      tenantId,
      quota.maxDomains,
      quota.maxDomainRecords,
      quota.maxWriteOctets,
      quota.mxTargetCheck,
      quota.maxRecordsetRecords,
      quota.maxExportRecords,
      quota.maxDomainRecordsets,
    ] as string[],
  );
}

/** Inserts quotas of tenants that have none yet. */
export async function insertQuotas(
  trx: Database,
  quotas: readonly (Partial<Omit<Quota, 'maxWriteOctets'>> & { readonly tenantId: string })[],
): Promise<void> {
  await trx.raw(
    `insert into dns.quotas (tenant_id, max_domains, max_domain_records, mx_target_check)
     select q."tenantId", q."maxDomains", q."maxDomainRecords", q."mxTargetCheck"
       from jsonb_to_recordset(?::jsonb) as q ("tenantId" text, "maxDomains" integer, "maxDomainRecords" integer,
              "mxTargetCheck" text)
     on conflict (tenant_id) do nothing`,
    [JSON.stringify(quotas)],
  );
}

async function deleteQuota(db: Database, tenantId: string): Promise<void> {
  await db.raw(`delete from dns.quotas as q where q.tenant_id = ?`, [tenantId]);
}
