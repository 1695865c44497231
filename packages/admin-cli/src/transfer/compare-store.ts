import { type Database, queryRows } from '@zonewright/database';

export interface OwnedRow {
  readonly id: string;
  readonly name: string;
  readonly owner: string;
}

/** Rows that have one of the ids or names. */
export async function findAccountDomains(
  db: Database,
  { id, name }: { readonly id: string; readonly name: string },
): Promise<{ id: string; name: string; status: string }[]> {
  return await queryRows(
    db,
    'select d.id, d.name, d.status from identity.account_domains as d where d.id = ? or d.name = ?',
    [id, name],
  );
}

export async function findOwned(
  db: Database,
  table: 'users' | 'tenants',
  parts: readonly { readonly id: string; readonly name: string }[],
): Promise<OwnedRow[]> {
  return await queryRows(
    db,
    `select t.id, t.name, t.account_domain_id as owner from identity.${table} as t
      where t.id = any(?::text[]) or t.name = any(?::text[])`,
    [parts.map(({ id }) => id), parts.map(({ name }) => name)],
  );
}

export async function findAccessKeyOwners(
  db: Database,
  ids: readonly string[],
): Promise<{ id: string; owner: string }[]> {
  return await queryRows(
    db,
    'select k.id, k.user_id as owner from identity.access_keys as k where k.id = any(?::text[])',
    [ids],
  );
}

/** The names of these that do not exist. */
export async function findMissing(
  db: Database,
  table: 'roles' | 'services',
  names: readonly string[],
): Promise<string[]> {
  const rows = await queryRows<{ name: string }>(
    db,
    `select n.name from unnest(?::text[]) as n (name)
      where not exists (select from identity.${table} as t where t.name = n.name) order by n.name`,
    [[...new Set(names)]],
  );
  return rows.map(({ name }) => name);
}

export interface ZoneRow extends OwnedRow {
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
            d.record_count as records
       from dns.domains as d
      where d.id = any(?::uuid[]) or (d.name = any(?::text[]) and d.deleted_at is null)`,
    [zones.ids, zones.names],
  );
}

/** For each name, a living zone of another tenant in which it lies, or that lies in it. */
export async function findForeignFamily(
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

/** Keeps living zones of these names as they are, their records included, until the transaction ends. */
export async function lockZonesNamed(trx: Database, names: readonly string[]): Promise<void> {
  await trx.raw(
    'select d.id from dns.domains as d where d.name = any(?::text[]) and d.deleted_at is null order by d.id for share',
    [[...names]],
  );
}
