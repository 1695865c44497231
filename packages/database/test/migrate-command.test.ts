import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openDatabase, type TestDatabase } from '../src/index.js';
import { runMigrate } from './support/migrate-process.js';
import { Proxy } from './support/proxy.js';
import { createEmptyDatabase, serverUnderTest } from './support/test-database.js';

describe('the command migrate', () => {
  let database: TestDatabase;

  beforeAll(async () => {
    database = await createEmptyDatabase();
  });
  afterAll(async () => {
    await database.drop();
  });

  it('prints the applied migrations and ends with 0', async () => {
    const { code, stdout, stderr } = await runMigrate({ DATABASE_URL: database.url }).ended;

    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^migrate: applied 0001-identity\n/);
  });

  it('reports that there is nothing to do and ends with 0', async () => {
    const { code, stdout } = await runMigrate({ DATABASE_URL: database.url }).ended;

    expect({ code, stdout }).toEqual({ code: 0, stdout: 'migrate: the schema is up to date\n' });
  });

  it('keeps the migrations of a later version, so that operators can return to this one', async () => {
    const db = openDatabase({
      url: database.url,
      applicationName: 'zonewright-test',
      maxConnections: 1,
    });
    await db('zonewright_migrations').insert({ name: '9999-later', batch: 2 });
    await db.destroy();
    const { code, stdout, stderr } = await runMigrate({ DATABASE_URL: database.url }).ended;

    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toBe(
      'migrate: the schema is up to date\nmigrate: the schema is newer than this version by 9999-later\n',
    );
  });

  it('ends with 2 and lists every problem if settings are invalid', async () => {
    const { code, stderr } = await runMigrate({
      DATABASE_URL: 'mysql://u:hunter2@h/d',
      MIGRATE_WAIT_SECONDS: 'long',
    }).ended;

    expect(code).toBe(2);
    expect(stderr).toMatch(
      /^migrate: DATABASE_URL must be a URL that starts with postgres:\/\/.*\nmigrate: MIGRATE_WAIT_SECONDS must be a whole number .*, not "long"\n$/,
    );
  });

  it('ends with 1 at once if waiting would not help: the database does not exist', async () => {
    const url = new URL(serverUnderTest().url);
    url.pathname = '/zonewright_no_such_database';
    const { code, stdout, stderr } = await runMigrate({ DATABASE_URL: url.toString() }).ended;

    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toBe('migrate: database "zonewright_no_such_database" does not exist\n');
  });

  it('ends with 1 if PostgreSQL is not available in time', async () => {
    const { code, stdout, stderr } = await runMigrate({
      // Port 1 of both addresses of "localhost" refuses connections.
      DATABASE_URL: 'postgres://u:hunter2@localhost:1/d',
      MIGRATE_WAIT_SECONDS: '0',
    }).ended;

    expect(code).toBe(1);
    expect(stdout + stderr).toContain('ECONNREFUSED');
    expect(stdout + stderr).not.toContain('hunter2');
  });
});

describe('the command migrate, started before PostgreSQL', () => {
  let database: TestDatabase;
  let proxy: Proxy;

  beforeAll(async () => {
    database = await createEmptyDatabase();
    proxy = new Proxy(database.url);
  });
  afterAll(async () => {
    await proxy.stop();
    await database.drop();
  });

  it('waits until PostgreSQL is available', async () => {
    await proxy.start();
    const { url } = proxy;
    await proxy.stop();

    const migrating = runMigrate({ DATABASE_URL: url });
    await migrating.says('migrate: waiting for PostgreSQL');
    await proxy.start();
    const { code, stdout } = await migrating.ended;

    expect(code).toBe(0);
    expect(stdout).toContain('migrate: applied 0001-identity\n');
  });
});
