import type { Database } from '@zonewright/database';
import type { CheckedDocument } from './check-document.js';
import { compareDomains } from '@zonewright/zones';
import {
  findAccessKeyOwners,
  findAccountDomains,
  findMissing,
  findOwned,
  type OwnedRow,
} from './compare-store.js';

/** What of a section is new and what is there already, by id. */
export interface SectionDifference {
  readonly section: string;
  readonly new: number;
  /** There already, and left as it is. */
  readonly present: number;
}

export interface Difference {
  readonly sections: readonly SectionDifference[];
  /** Why the document cannot be taken over as it is. */
  readonly conflicts: readonly string[];
  /** Domains that are there and have another serial or number of records than the document says. */
  readonly different: readonly string[];
  readonly present: {
    readonly [K in 'users' | 'tenants' | 'accessKeys']: ReadonlySet<string>;
  } & { readonly accountDomain: boolean };
}

/** A document beside the database that is to take it. Nothing is changed. */
export async function compareDocument(
  db: Database,
  document: CheckedDocument,
): Promise<Difference> {
  const { accountDomain, users, tenants, accessKeys, domains, roleAssignments } = document;
  const conflicts: string[] = [];
  const isThere = await compareAccountDomain(db, document, conflicts);
  const owned = async (table: 'users' | 'tenants', parts: typeof users | typeof tenants) =>
    compareOwned(table.slice(0, -1), parts, {
      rows: await findOwned(db, table, parts),
      owner: accountDomain.id,
      conflicts,
    });
  const presentUsers = await owned('users', users);
  const presentTenants = await owned('tenants', tenants);
  const presentKeys = await compareAccessKeys(db, accessKeys, conflicts);
  for (const role of await findMissing(
    db,
    'roles',
    roleAssignments.map(({ role: name }) => name),
  )) {
    conflicts.push(`there is no role "${role}": make it first, with role create`);
  }
  for (const service of await findMissing(
    db,
    'services',
    tenants.flatMap(({ services }) => services),
  )) {
    conflicts.push(`there is no service "${service}": make it first, with service create`);
  }
  const zones = await compareDomains(db, domains, conflicts);
  const section = (name: string, all: number, present: number) => ({
    section: name,
    new: all - present,
    present,
  });
  return {
    sections: [
      section('accountDomain', 1, isThere ? 1 : 0),
      section('users', users.length, presentUsers.size),
      section('tenants', tenants.length, presentTenants.size),
      section('accessKeys', accessKeys.length, presentKeys.size),
      section('domains', domains.length, zones.present.size),
      section('records', document.records, zones.presentRecords),
    ],
    conflicts,
    different: zones.different,
    present: {
      accountDomain: isThere,
      users: presentUsers,
      tenants: presentTenants,
      accessKeys: presentKeys,
    },
  };
}

async function compareAccountDomain(
  db: Database,
  { accountDomain }: CheckedDocument,
  conflicts: string[],
): Promise<boolean> {
  const found = await findAccountDomains(db, accountDomain);
  for (const { id, name } of found) {
    if (id === accountDomain.id && name === accountDomain.name) continue;
    conflicts.push(
      `there is an account domain "${name}" with the id "${id}"; the document has "${accountDomain.name}" with "${accountDomain.id}"`,
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
          `the ${what} "${id}" is called "${same.name}" here, and "${name}" in the document`,
        );
      } else present.add(id);
    } else if (namesake !== undefined) {
      at.conflicts.push(
        `the ${what} name "${name}" is taken by the ${what} with the id "${namesake.id}"`,
      );
    }
  }
  return present;
}

async function compareAccessKeys(
  db: Database,
  keys: CheckedDocument['accessKeys'],
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
