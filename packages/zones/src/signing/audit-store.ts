import { type Database, queryRow } from '@zonewright/database';

/** The living signed zone that was looked through longest ago, if that was before a time. */
export async function findZoneToAudit(db: Database, before: Date): Promise<string | undefined> {
  const row = await queryRow<{ id: string }>(
    db,
    `select z.domain_id as id from dns.zone_dnssec as z join dns.domains as d on d.id = z.domain_id
      where z.state <> 'signing' and z.resign_after is null and d.deleted_at is null and coalesce(z.audited_at < ?, true)
      order by z.audited_at nulls first limit 1`,
    [before],
  );
  return row?.id;
}

/** `problem`: null: none was found. */
export async function writeAudit(
  db: Database,
  zoneId: string,
  { at, problem }: { readonly at: Date; readonly problem: string | null },
): Promise<void> {
  await db.raw(
    'update dns.zone_dnssec as z set audited_at = ?, audit_problem = ? where z.domain_id = ?',
    [at, problem, zoneId],
  );
}

/** Existing zones in which the audit found a problem, and one of the problems. */
export async function findBrokenZones(
  db: Database,
): Promise<{ readonly count: number; readonly example: string | null }> {
  const row = await queryRow<{ count: number; example: string | null }>(
    db,
    `select count(*) as count, min(d.name || ' (' || z.audit_problem || ')') as example
       from dns.zone_dnssec as z join dns.domains as d on d.id = z.domain_id and d.deleted_at is null
      where z.audit_problem is not null`,
  );
  return row ?? { count: 0, example: null };
}
