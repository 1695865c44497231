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
