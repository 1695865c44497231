import { type Database, queryRows } from '@zonewright/database';
import type { AccountParts } from './account-parts.js';

/** Whether parts of an account already exist, by id. An import does not change them. */
export interface PresentAccounts {
  readonly accountDomain: boolean;
  readonly users: ReadonlySet<string>;
  readonly tenants: ReadonlySet<string>;
  readonly accessKeys: ReadonlySet<string>;
}

/** Adds a sentence to `conflicts` for each reason that prevents an import. Does not change the database. */
export async function compareAccounts(
  db: Database,
  parts: AccountParts,
  conflicts: string[],
): Promise<PresentAccounts> {
  const { users, tenants, accessKeys, roleAssignments } = parts;
  const owner = parts.accountDomain.id;
  const present = {
    accountDomain: await compareAccountDomain(db, parts, conflicts),
    users: compareOwned('user', users, {
      rows: await findOwned(db, 'users', users),
      owner,
      conflicts,
    }),
    tenants: compareOwned('tenant', tenants, {
      rows: await findOwned(db, 'tenants', tenants),
      owner,
      conflicts,
    }),
    accessKeys: await compareAccessKeys(db, accessKeys, conflicts),
  };
  const roles = roleAssignments.map(({ role }) => role);
  for (const role of await findMissing(db, 'roles', roles)) {
    conflicts.push(`the role "${role}" does not exist: create it first with role create`);
  }
  const services = tenants.flatMap((tenant) => tenant.services);
  for (const service of await findMissing(db, 'services', services)) {
    conflicts.push(`the service "${service}" does not exist: create it first with service create`);
  }
  return present;
}

async function compareAccountDomain(
  db: Database,
  { accountDomain }: AccountParts,
  conflicts: string[],
): Promise<boolean> {
  const found = await findAccountDomains(db, accountDomain);
  for (const { id, name } of found) {
    if (id === accountDomain.id && name === accountDomain.name) continue;
    conflicts.push(
      `the account domain "${name}" has the id "${id}" here; the document has "${accountDomain.name}" with "${accountDomain.id}"`,
    );
  }
  return found.some(({ id }) => id === accountDomain.id);
}

function compareOwned(
  what: string,
  parts: readonly { readonly id: string; readonly name: string }[],
  at: { readonly rows: readonly OwnedRow[]; readonly owner: string; readonly conflicts: string[] },
): ReadonlySet<string> {
  const byId = new Map(at.rows.map((row) => [row.id, row]));
  const byName = new Map(at.rows.map((row) => [row.name, row]));
  const present = new Set<string>();
  for (const { id, name } of parts) {
    const same = byId.get(id);
    const namesake = byName.get(name);
    if (same !== undefined) {
      if (same.owner !== at.owner) {
        at.conflicts.push(`the ${what} id "${id}" belongs to the account domain "${same.owner}"`);
      } else if (same.name !== name) {
        at.conflicts.push(
          `the ${what} "${id}" is named "${same.name}" here, but "${name}" in the document`,
        );
      } else present.add(id);
    } else if (namesake !== undefined) {
      at.conflicts.push(
        `the ${what} name "${name}" is already used by the ${what} with the id "${namesake.id}"`,
      );
    }
  }
  return present;
}

async function compareAccessKeys(
  db: Database,
  keys: AccountParts['accessKeys'],
  conflicts: string[],
): Promise<ReadonlySet<string>> {
  const found = await findAccessKeyOwners(
    db,
    keys.map(({ id }) => id),
  );
  const owners = new Map(found.map(({ id, owner }) => [id, owner]));
  const present = new Set<string>();
  for (const { id, user } of keys) {
    const owner = owners.get(id);
    if (owner === user) present.add(id);
    else if (owner !== undefined)
      conflicts.push(`the access key "${id}" belongs to the user "${owner}"`);
  }
  return present;
}

interface OwnedRow {
  readonly id: string;
  readonly name: string;
  readonly owner: string;
}

/** Finds rows that have one of the ids or names. */
async function findAccountDomains(
  db: Database,
  { id, name }: { readonly id: string; readonly name: string },
): Promise<{ id: string; name: string; status: string }[]> {
  return await queryRows(
    db,
    'select d.id, d.name, d.status from identity.account_domains as d where d.id = ? or d.name = ?',
    [id, name],
  );
}

async function findOwned(
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

async function findAccessKeyOwners(
  db: Database,
  ids: readonly string[],
): Promise<{ id: string; owner: string }[]> {
  return await queryRows(
    db,
    'select k.id, k.user_id as owner from identity.access_keys as k where k.id = any(?::text[])',
    [ids],
  );
}

/** Returns the names that do not exist. */
async function findMissing(
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
