import { type Database, type FeedApex, queryRow, type SoaTimes } from '@zonewright/database';

/** Managed records at the apex of a zone for its serial (ADR 0025). Undefined for a secondary zone. */
export async function getZoneApex(db: Database, zoneId: string): Promise<FeedApex | undefined> {
  const row = await queryRow<{ servers: readonly string[] } & SoaTimes>(
    db,
    `select v.servers, v.soa_refresh as "refreshSeconds", v.soa_retry as "retrySeconds",
            v.soa_expire as "expireSeconds", v.soa_minimum as "minimumSeconds"
       from dns.domains as d join dns.apex_versions as v on v.version = d.apex_version
      where d.id = ?`,
    [zoneId],
  );
  if (row === undefined) return undefined;
  const { servers, ...soa } = row;
  return { servers, soa };
}
