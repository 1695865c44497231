import { type Database, queryRows } from '@zonewright/database';
import { isAtOrBelow } from '@zonewright/dns-records';
import { findNameserverDomain } from '../rows/nameserver-domain.js';
import { isBelow } from '../rows/zone-store.js';

/** Properties of a domain that are compared. */
interface DocumentDomain {
  readonly id: string;
  readonly tenant: string;
  readonly name: string;
  readonly records: number;
}

const DOMAINS_PER_QUESTION = 1_000;

/** Result of the comparison with the domains in the database. */
interface ComparedDomains {
  /** Ids of domains that exist in the database. */
  readonly present: Set<string>;
  readonly different: string[];
  presentRecords: number;
}

/** Adds a sentence to `conflicts` for each reason why a domain cannot be imported. */
export async function compareDomains(
  db: Database,
  domains: readonly DocumentDomain[],
  conflicts: string[],
): Promise<ComparedDomains> {
  const result: ComparedDomains = { present: new Set(), different: [], presentRecords: 0 };
  const nameserverDomain = (await findNameserverDomain(db))?.name;
  for (let from = 0; from < domains.length; from += DOMAINS_PER_QUESTION) {
    const part = domains.slice(from, from + DOMAINS_PER_QUESTION);
    const rows = await findZones(db, {
      ids: part.map(({ id }) => id),
      names: part.map(({ name }) => name),
    });
    const byId = new Map(rows.map((row) => [row.id, row]));
    const living = rows.filter(({ isDeleted }) => !isDeleted);
    const byName = new Map(living.map((row) => [row.name, row]));
    for (const domain of part) {
      const same = byId.get(domain.id);
      const conflict =
        same === undefined
          ? conflictOfNew(domain, byName.get(domain.name), nameserverDomain)
          : comparePresent(domain, same, result);
      if (conflict !== undefined) conflicts.push(conflict);
    }
    for (const { name, other, isAbove } of await findRelatedOfOthers(db, part)) {
      const where = isAbove ? 'is inside' : 'contains';
      conflicts.push(`the domain "${name}" ${where} "${other}" of another tenant`);
    }
  }
  return result;
}

/** Compares a domain whose id already exists: it is the same domain, or a conflict. */
function comparePresent(
  { id, tenant, name, records }: DocumentDomain,
  same: ZoneRow,
  result: ComparedDomains,
): string | undefined {
  if (same.owner !== tenant || same.name !== name || same.isDeleted) {
    const state = same.isDeleted ? 'a deleted domain' : 'the domain';
    return `the domain id "${id}" belongs to ${state} "${same.name}" of the tenant "${same.owner}"`;
  }
  result.present.add(id);
  result.presentRecords += records;
  if (same.records !== records) {
    result.different.push(`${name}: ${same.records} records here, ${records} in the document`);
  }
  return undefined;
}

function conflictOfNew(
  { name }: DocumentDomain,
  namesake: ZoneRow | undefined,
  nameserverDomain: string | undefined,
): string | undefined {
  if (namesake !== undefined) {
    return `the domain "${name}" belongs to the tenant "${namesake.owner}", with the id "${namesake.id}"`;
  }
  if (nameserverDomain !== undefined && isAtOrBelow(name, nameserverDomain)) {
    return `the domain "${name}" is inside the nameserver domain`;
  }
  return undefined;
}

interface ZoneRow {
  readonly id: string;
  readonly name: string;
  /** Tenant that owns the zone. */
  readonly owner: string;
  readonly isDeleted: boolean;
  readonly serial: number;
  readonly records: number;
}

/** Finds zones with one of the ids, including deleted ones, and existing zones with one of the names. */
async function findZones(
  db: Database,
  zones: { readonly ids: readonly string[]; readonly names: readonly string[] },
): Promise<ZoneRow[]> {
  return await queryRows(
    db,
    `select d.id, d.name, d.tenant_id as owner, d.deleted_at is not null as "isDeleted", d.serial,
            d.record_count + d.disabled_count as records
       from dns.domains as d
      where d.id = any(?::uuid[]) or (d.name = any(?::text[]) and d.deleted_at is null)`,
    [zones.ids, zones.names],
  );
}

/** Finds, for each name, an existing zone of another tenant above or below it. */
async function findRelatedOfOthers(
  db: Database,
  zones: readonly { readonly name: string; readonly tenant: string }[],
): Promise<{ name: string; other: string; isAbove: boolean }[]> {
  return await queryRows(
    db,
    `select z.name, f.other, f.is_above as "isAbove"
       from jsonb_to_recordset(?::jsonb) as z (name text, tenant text), lateral (
         select d.name as other, true as is_above from dns.domains as d
          where d.deleted_at is null and d.tenant_id <> z.tenant and d.name = any(
                  select substr(z.name, p.at) from generate_series(1, length(z.name)) as p (at)
                   where p.at > 1 and substr(z.name, p.at - 1, 1) = '.')
         union all
         select d.name, false from dns.domains as d
          where d.deleted_at is null and d.tenant_id <> z.tenant and ${isBelow('z.name')}
         limit 1) as f
      order by z.name`,
    [JSON.stringify(zones)],
  );
}
