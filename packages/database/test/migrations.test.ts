import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { waitFor } from '@zonewright/testkit';
import {
  countPendingMigrations,
  type Database,
  DATABASE_ROLES,
  migrate,
  openDatabase,
  type TestDatabase,
} from '../src/index.js';
import { MIGRATION_LOCK } from '../src/schema/migrate.js';
import { MIGRATIONS } from '../src/migrations/index.js';
import { runMigrate } from './support/migrate-process.js';
import { createEmptyDatabase } from './support/test-database.js';

const ALL = MIGRATIONS.map(({ name }) => name);

let database: TestDatabase;
let db: Database;

beforeEach(async () => {
  database = await createEmptyDatabase();
  db = openDatabase({
    url: database.url,
    applicationName: 'zonewright-test',
    connectTimeoutMs: 15_000,
    // Migrating needs only one connection.
    maxConnections: 1,
    statementTimeoutMs: 0,
  });
});

afterEach(async () => {
  await db.destroy();
  await database.drop();
});

async function listTables(): Promise<string[]> {
  const { rows } = await db.raw<{ rows: { name: string }[] }>(
    `select table_schema || '.' || table_name as name from information_schema.tables
      where table_schema in ('identity', 'dns') order by 1`,
  );
  return rows.map(({ name }) => name);
}

describe('migrate', () => {
  it('has migrations in the order of their numbers, each number once', () => {
    const numbers = ALL.map((name) => Number(/^(\d{4})-[a-z0-9-]+$/.exec(name)?.[1]));
    expect(numbers).toEqual([...new Set(numbers)].sort((a, b) => a - b));
  });

  it('updates an empty database to the latest schema, and does nothing the second time', async () => {
    expect(await countPendingMigrations(db)).toBe(ALL.length);
    expect(await migrate(db)).toEqual(ALL);
    expect(await countPendingMigrations(db)).toBe(0);
    expect(await listTables()).toEqual(
      expect.arrayContaining(['dns.domains', 'dns.zone_changes', 'identity.users']),
    );

    expect(await migrate(db)).toEqual([]);
  });

  it('counts pending migrations without applying them', async () => {
    await countPendingMigrations(db);

    const { rows } = await db.raw<{ rows: unknown[] }>(
      `select from information_schema.tables where table_schema = 'public'`,
    );
    expect(rows).toEqual([]);
  });

  it('can be run by two processes at once: one applies all, the other has nothing to do', async () => {
    const results = await Promise.all(
      [1, 2].map(() => runMigrate({ DATABASE_URL: database.url }).ended),
    );

    expect(results).toMatchObject([{ code: 0 }, { code: 0 }]);
    expect(results.map(({ stdout }) => stdout).sort()).toEqual([
      ALL.map((name) => `migrate: applied ${name}\n`).join(''),
      'migrate: the schema is up to date\n',
    ]);
    expect(results.map(({ stderr }) => stderr)).toEqual(['', '']);
  });

  it("waits for another process as long as necessary, regardless of the server's limits", async () => {
    await db.raw(`do $$ begin
      execute format('alter database %I set statement_timeout = 400', current_database());
    end $$`);
    await db.destroy();
    db = openDatabase({
      url: database.url,
      applicationName: 'zonewright-test',
      connectTimeoutMs: 15_000,
      maxConnections: 1,
      statementTimeoutMs: 0,
    });
    const other = openDatabase({ url: database.url, applicationName: 'other', maxConnections: 2 });
    try {
      const migrating = await other.transaction(async (trx) => {
        await trx.raw('select pg_advisory_xact_lock(?)', [MIGRATION_LOCK]);
        const result = migrate(db);
        await waitFor(async () => {
          const { rows } = await other.raw<{ rows: unknown[] }>(
            `select from pg_stat_activity where wait_event = 'advisory'
                and datname = current_database() and clock_timestamp() - query_start > interval '500 ms'`,
          );
          return rows.length === 1;
        });
        return { result };
      });

      expect(await migrating.result).toEqual(ALL);
    } finally {
      await other.destroy();
    }
  });

  it('changes nothing if one migration fails', async () => {
    // The third migration grants rights to all tables; this schema makes the second one fail.
    await db.raw('create schema dns');

    await expect(migrate(db)).rejects.toMatchObject({ code: '42P06' });
    expect(await listTables()).toEqual([]);
    expect(await countPendingMigrations(db)).toBe(ALL.length);

    await db.raw('drop schema dns');
    expect(await migrate(db)).toEqual(ALL);
  });

  it('keeps a schema that is newer than the code, so that operators can return to this version', async () => {
    await migrate(db);
    await db('zonewright_migrations').insert({ name: '9999-from-the-future', batch: 9 });

    expect(await migrate(db)).toEqual([]);
    expect(await countPendingMigrations(db)).toBe(0);
  });

  it('refuses the schema of a version before the first release, and explains what to do', async () => {
    await migrate(db);
    await db('zonewright_migrations').update({ name: db.raw("name || '-of-old'") });

    await expect(migrate(db)).rejects.toThrow(
      /^This database was created by a version before 0\.1\.0 .* account export/,
    );
  });

  it('works for a login that may not create roles, if the roles exist', async () => {
    const owner = `zonewright_test_owner_${process.pid}`;
    await db.raw(`create role ${owner} login password 'owner'`);
    const { rows } = await db.raw<{ rows: { name: string }[] }>(
      `select rolname as name from pg_roles where rolname in (${Object.values(DATABASE_ROLES)
        .map((role) => `'${role}'`)
        .join(', ')})`,
    );
    const own = await createEmptyDatabase(undefined, owner);
    const url = new URL(own.url);
    url.username = owner;
    url.password = 'owner';
    const asOwner = openDatabase({
      url: url.toString(),
      applicationName: 'zonewright-test',
      connectTimeoutMs: 15_000,
      maxConnections: 1,
    });
    try {
      expect(rows).toHaveLength(Object.keys(DATABASE_ROLES).length);
      expect(await migrate(asOwner)).toEqual(ALL);
      expect(await migrate(asOwner)).toEqual([]);
    } finally {
      await asOwner.destroy();
      await own.drop();
      await db.raw(`drop role ${owner}`);
    }
  });
});
