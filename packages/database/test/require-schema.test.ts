import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { waitFor } from '@zonewright/testkit';
import {
  type Database,
  DATABASE_ROLES,
  isDatabaseUnavailable,
  isSchemaMissing,
  migrate,
  MIGRATIONS,
  openDatabase,
  SchemaBehindError,
  type TestDatabase,
  withRole,
} from '../src/index.js';
import { createEmptyDatabase } from './support/test-database.js';

const ALL = MIGRATIONS.map(({ name }) => name);

describe('a program whose database has another schema', () => {
  let database: TestDatabase;
  let owner: Database;
  const programs: Database[] = [];

  function open(applicationName: string, { requiresSchema = true, url = database.url } = {}) {
    const db = openDatabase({
      url,
      applicationName,
      connectTimeoutMs: 15_000,
      maxConnections: 2,
      statementTimeoutMs: 0,
      requiresSchema,
    });
    programs.push(db);
    return db;
  }

  beforeEach(async () => {
    database = await createEmptyDatabase();
    owner = open('owner', { requiresSchema: false });
  });

  afterEach(async () => {
    await Promise.all(programs.splice(0).map((db) => db.destroy()));
    await database.drop();
  });

  it('has no database until migrate has run, and leaves no connection open', async () => {
    const program = open('program');
    const failure: unknown = await program.raw('select 1').catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(SchemaBehindError);
    expect([isDatabaseUnavailable(failure), isSchemaMissing(failure)]).toEqual([true, true]);
    expect((failure as Error).message).toContain(`Run migrate. Missing: ${ALL.join(', ')}.`);
    await waitFor(async () => {
      const { rows } = await owner.raw<{ rows: unknown[] }>(
        `select from pg_stat_activity where application_name = 'program' and datname = current_database()`,
      );
      return rows.length === 0;
    });

    await migrate(owner);
    await program.raw('select from dns.domains');
  });

  it('needs all of its own migrations, and works on a later schema', async () => {
    await migrate(owner);
    await owner('zonewright_migrations').insert({ name: '9999-later', batch: 9 });
    await open('program').raw('select 1');

    const last = ALL.at(-1) ?? '';
    await owner('zonewright_migrations').where({ name: last }).del();
    await expect(open('program').raw('select 1')).rejects.toThrow(`Missing: ${last}.`);
  });

  it.each(Object.values(DATABASE_ROLES))('%s may read the version of the schema', async (role) => {
    await migrate(owner);
    const program = open('program', { url: withRole(database.url, role) });
    const { rows } = await program.raw<{ rows: unknown[] }>('select current_user as role');
    expect(rows).toEqual([{ role }]);
  });
});
