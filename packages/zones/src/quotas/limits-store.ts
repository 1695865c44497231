import type { Database } from '@zonewright/database';

/** What a tenant may have (DNS API s2, Limits). */
export interface Limits {
  readonly maxDomains: number;
  readonly maxDomainRecords: number;
}

/** The tenant's limits: its own where an operator has set them, the service's otherwise. */
export async function findLimits(
  db: Database,
  tenantId: string,
  defaults: Limits,
): Promise<Limits> {
  const { rows } = await db.raw<{
    rows: { max_domains: number | null; max_domain_records: number | null }[];
  }>('select q.max_domains, q.max_domain_records from dns.quotas as q where q.tenant_id = ?', [
    tenantId,
  ]);
  return {
    maxDomains: rows[0]?.max_domains ?? defaults.maxDomains,
    maxDomainRecords: rows[0]?.max_domain_records ?? defaults.maxDomainRecords,
  };
}

/** How many octets a tenant may write a minute; undefined: what the service allows all. */
export async function findWriteLimit(db: Database, tenantId: string): Promise<number | undefined> {
  // Through jsonb: before migration 0006 there is no such column.
  const { rows } = await db.raw<{ rows: { octets: number | null }[] }>(
    `select cast(to_jsonb(q) ->> 'max_write_octets' as bigint) as octets from dns.quotas as q where q.tenant_id = ?`,
    [tenantId],
  );
  return rows[0]?.octets ?? undefined;
}
