import { describe, expect, it } from '@jest/globals';
import { type Database, DATABASE_ROLES, errorCode, SQLSTATE } from '../src/index.js';
import { EXPECTED_RIGHTS } from '../src/schema/expected-rights.js';
import { useTestDatabase } from './support/test-database.js';

const database = useTestDatabase();
const ROLES = Object.values(DATABASE_ROLES);

/** Statements that change nothing and need exactly one right each. */
const STATEMENTS = {
  s: (table: string) => `select from ${table} limit 0`,
  // PostgreSQL checks the right before it notices a missing value.
  i: (table: string) => `insert into ${table} default values`,
  u: (table: string, column: string) => `update ${table} set ${column} = default where false`,
  d: (table: string) => `delete from ${table} where false`,
};

const LOCK_FUNCTIONS = ['pg_advisory', 'pg_try_advisory'].flatMap((start) =>
  ['_lock', '_xact_lock', '_lock_shared', '_xact_lock_shared'].map((end) => start + end),
);

/** Returns whether a statement is refused because of a missing right; any other failure comes after that check. */
async function isRefused(db: Database, statement: string): Promise<boolean> {
  const rollback = new Error('rollback');
  try {
    await db.transaction(async (trx) => {
      await trx.raw(statement);
      throw rollback;
    });
  } catch (error) {
    return errorCode(error) === SQLSTATE.insufficientPrivilege;
  }
  return false;
}

async function listTables(): Promise<{ name: string; column: string }[]> {
  const { rows } = await database.db.raw<{ rows: { name: string; column: string }[] }>(
    `select c.table_schema || '.' || c.table_name as name, min(c.column_name) as column
       from information_schema.columns as c
      where c.table_schema in ('identity', 'dns', 'public') group by 1 order by 1`,
  );
  return rows;
}

describe('rights of the roles (each service has only the rights it needs)', () => {
  it('are listed for every existing table', async () => {
    const tables = await listTables();

    expect(tables.map(({ name }) => name)).toEqual(Object.keys(EXPECTED_RIGHTS).sort());
  });

  it.each(ROLES)('%s has exactly the listed rights to each table', async (role) => {
    const db = database.open({ role, maxConnections: 1 });
    const found: Record<string, string> = {};
    for (const { name, column } of await listTables()) {
      found[name] = '';
      for (const [right, statement] of Object.entries(STATEMENTS)) {
        if (!(await isRefused(db, statement(name, column)))) found[name] += right;
      }
    }

    expect(found).toEqual(
      Object.fromEntries(
        Object.entries(EXPECTED_RIGHTS).map(([name, rights]) => [name, rights[role] ?? '']),
      ),
    );
  });

  it.each(
    ROLES.flatMap((role) =>
      [
        'create table identity.x ()',
        'create table dns.x ()',
        'create table public.x ()',
        'create schema x',
        'create role x',
        'create function dns.x() returns integer language sql return 1',
        'create index on dns.domains (email)',
        'alter table dns.domains add column x integer',
        'alter table identity.users disable trigger announce_change',
        'alter table dns.records owner to current_user',
        'drop table dns.domains',
        'drop schema identity cascade',
        'truncate dns.domains cascade',
        'truncate identity.token_state',
      ].map((statement) => [role, statement] as const),
    ),
  )('%s is refused: %s', async (role, statement) => {
    const db = database.open({ role, maxConnections: 1 });

    await expect(db.raw(statement)).rejects.toMatchObject({ code: SQLSTATE.insufficientPrivilege });
    await db.destroy();
  });

  it.each([
    [DATABASE_ROLES.identityService, 'dns.domains', 'dns'],
    [DATABASE_ROLES.dnsApi, 'identity.users', 'identity'],
    [DATABASE_ROLES.nameserver, 'identity.users', 'identity'],
    [DATABASE_ROLES.signer, 'identity.users', 'identity'],
  ])('%s cannot read %s: it has no access to the schema %s', async (role, table, schema) => {
    const db = database.open({ role, maxConnections: 1 });

    await expect(db.raw(`select from ${table}`)).rejects.toThrow(
      `permission denied for schema ${schema}`,
    );
  });

  it.each([
    [DATABASE_ROLES.identityService, true],
    [DATABASE_ROLES.dnsApi, true],
    [DATABASE_ROLES.nameserver, false],
    [DATABASE_ROLES.signer, false],
    [DATABASE_ROLES.operator, true],
  ])('%s can hold advisory locks, which separate writers of a tenant: %s', async (role, may) => {
    const db = database.open({ role, maxConnections: 1 });
    const refused: string[] = [];
    for (const name of LOCK_FUNCTIONS) {
      for (const key of ['7255403', '7255403, 1']) {
        const call = `${name}(${key})`;
        if (await isRefused(db, `select ${call}`)) refused.push(call);
      }
    }
    await db.raw('select pg_advisory_unlock_all()');
    expect(refused).toHaveLength(may ? 0 : 2 * LOCK_FUNCTIONS.length);
  });

  it.each(
    [DATABASE_ROLES.dnsApi, DATABASE_ROLES.nameserver].flatMap((role) =>
      ['secret_sealed', 'secret_key_id'].map((column) => [role, column] as const),
    ),
  )('%s cannot read %s of the keys of zones', async (role, column) => {
    const db = database.open({ role, maxConnections: 1 });

    expect(await isRefused(db, `select ${column} from dns.zone_keys`)).toBe(true);
  });

  it.each(ROLES)('%s cannot grant its rights to others', async (role) => {
    const db = database.open({ role, maxConnections: 1 });
    // PostgreSQL only warns if nothing can be granted.
    await db.raw('grant select on all tables in schema dns to public').catch(() => undefined);
    await db.raw('grant select on all tables in schema identity to public').catch(() => undefined);

    const { rows } = await database.db.raw<{ rows: unknown[] }>(
      `select from information_schema.role_table_grants
        where grantee = 'PUBLIC' and table_schema in ('identity', 'dns')`,
    );
    expect(rows).toEqual([]);
  });

  it('withRole: the session acts as the role from its first statement on', async () => {
    const db = database.open({ role: DATABASE_ROLES.nameserver, maxConnections: 1 });
    const { rows } = await db.raw<{ rows: unknown[] }>('select current_user as "actsAs"');

    expect(rows).toEqual([{ actsAs: 'zonewright_nameserver' }]);
  });

  it('triggers need only the right to the change itself', async () => {
    const operator = database.open({ role: DATABASE_ROLES.operator, maxConnections: 1 });
    const identity = database.open({ role: DATABASE_ROLES.identityService, maxConnections: 1 });
    const dnsApi = database.open({ role: DATABASE_ROLES.dnsApi, maxConnections: 1 });
    const rollback = new Error('rollback');

    await operator.raw(`insert into dns.servers (name, position) values ('ns1-1.example.', 1)`);
    await expect(
      identity.transaction(async (trx) => {
        await trx.raw(`delete from identity.token_state`);
        throw rollback;
      }),
    ).rejects.toBe(rollback);
    await expect(
      dnsApi.transaction(async (trx) => {
        const { rows } = await trx.raw<{ rows: { id: string }[] }>(
          `insert into dns.domains (tenant_id, name, email, ttl, serial)
           values ('t', 'example.org.', 'a@example.org', 3600, 1) returning id`,
        );
        // The table generates the journal's numbers itself, so no right to a sequence is needed.
        await trx.raw(
          `insert into dns.zone_changes (domain_id, serial_after, action, user_id, request_id)
           values (?, 1, 'domain-create', 'u', 'r')`,
          [rows[0]!.id],
        );
        throw rollback;
      }),
    ).rejects.toBe(rollback);
  });
});
