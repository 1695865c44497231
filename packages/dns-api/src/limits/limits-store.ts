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
