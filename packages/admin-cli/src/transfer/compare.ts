import type { Database } from '@zonewright/database';
import { isAtOrBelow } from '@zonewright/dns-records';
import { findNameserverDomain } from '../nameservers/nameserver-domain-store.js';
import type { CheckedDocument } from './check-document.js';
import {
  findAccessKeyOwners,
  findAccountDomains,
  findForeignFamily,
  findMissing,
  findOwned,
  findZones,
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
    readonly [K in 'users' | 'tenants' | 'accessKeys' | 'domains']: ReadonlySet<string>;
  };
}

const DOMAINS_PER_QUESTION = 1_000;

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
      users: presentUsers,
      tenants: presentTenants,
      accessKeys: presentKeys,
      domains: zones.present,
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

async function compareDomains(
  db: Database,
  domains: CheckedDocument['domains'],
  conflicts: string[],
) {
  const present = new Set<string>();
  const different: string[] = [];
  let presentRecords = 0;
  const nameserverDomain = (await findNameserverDomain(db))?.name;
  for (let from = 0; from < domains.length; from += DOMAINS_PER_QUESTION) {
    const part = domains.slice(from, from + DOMAINS_PER_QUESTION);
    const rows = await findZones(db, {
      ids: part.map(({ id }) => id),
      names: part.map(({ name }) => name),
    });
    const byId = new Map(rows.map((row) => [row.id, row]));
    const byName = new Map(
      rows.filter(({ isDeleted }) => !isDeleted).map((row) => [row.name, row]),
    );
    for (const { id, tenant, name, records } of part) {
      const same = byId.get(id);
      const namesake = byName.get(name);
      if (same !== undefined && (same.owner !== tenant || same.name !== name || same.isDeleted)) {
        const state = same.isDeleted ? 'a deleted domain' : 'the domain';
        conflicts.push(
          `the domain id "${id}" is that of ${state} "${same.name}" of the tenant "${same.owner}"`,
        );
      } else if (same !== undefined) {
        present.add(id);
        presentRecords += records;
        if (same.records !== records)
          different.push(`${name}: ${same.records} records here, ${records} in the document`);
      } else if (namesake !== undefined) {
        conflicts.push(
          `the domain "${name}" belongs to the tenant "${namesake.owner}", with the id "${namesake.id}"`,
        );
      } else if (nameserverDomain !== undefined && isAtOrBelow(name, nameserverDomain)) {
        conflicts.push(`the domain "${name}" lies in the nameserver domain`);
      }
    }
    for (const { name, other, isAbove } of await findForeignFamily(db, part)) {
      const where = isAbove ? 'lies in' : 'contains';
      conflicts.push(`the domain "${name}" ${where} "${other}" of another tenant`);
    }
  }
  return { present, presentRecords, different };
}
