import { type Database, queryRows } from '@zonewright/database';

export interface ZoneRow {
  readonly id: string;
  readonly name: string;
  /** Its tenant. */
  readonly owner: string;
  readonly isDeleted: boolean;
  readonly serial: number;
  readonly records: number;
}

/** Zones with one of the ids, whether deleted or not, and living ones with one of the names. */
export async function findZones(
  db: Database,
  zones: { readonly ids: readonly string[]; readonly names: readonly string[] },
): Promise<ZoneRow[]> {
  return await queryRows(
    db,
    `select d.id, d.name, d.tenant_id as owner, d.deleted_at is not null as "isDeleted", d.serial,
            d.record_count + (select cast(count(*) as integer) from dns.disabled_records as r where r.domain_id = d.id) as records
       from dns.domains as d
      where d.id = any(?::uuid[]) or (d.name = any(?::text[]) and d.deleted_at is null)`,
    [zones.ids, zones.names],
  );
}

/** For each name, a living zone of another tenant in which it lies, or that lies in it. */
export async function findRelatedOfOthers(
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
          where d.deleted_at is null and d.tenant_id <> z.tenant
            and reverse(d.name) collate "C" >= reverse(z.name) || '.'
            and reverse(d.name) collate "C" < reverse(z.name) || '/'
         limit 1) as f
      order by z.name`,
    [JSON.stringify(zones)],
  );
}
