import { afterAll, beforeAll } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import {
  createTestDatabase,
  type Database,
  databaseUrl,
  type DatabaseRole,
  openDatabase,
  type TestDatabase,
  withRole,
} from '../../src/index.js';
import { ListeningClient } from './listening-client.js';

// This file is like testkit's useTestDatabase, which cannot be used here because testkit depends on this package.

interface ServerUnderTest {
  readonly url: string;
  readonly template: string;
}

/**
 * Returns the server on which `npm test` has created PostgreSQL's databases and the migrated template (testkit,
 * environment.ts).
 */
export function serverUnderTest(): ServerUnderTest {
  const url = process.env['ZONEWRIGHT_TEST_POSTGRES_URL'];
  const template = process.env['ZONEWRIGHT_TEST_TEMPLATE'];
  if (url === undefined || template === undefined) {
    throw new Error('These tests need PostgreSQL: run them with `npm test -- <jest arguments>`.');
  }
  return { url, template };
}

interface TestDatabaseHandle {
  readonly url: string;
  /** The pool logs in as the owner of the schema. */
  readonly db: Database;
  /** Opens another pool, as the owner or as a role; it is closed at the end of the file. */
  open(options?: { role?: DatabaseRole; maxConnections?: number; plansOnce?: boolean }): Database;
  /** Starts a session that listens; it is also ended at the end of the file. */
  listen(channel: string): Promise<ListeningClient>;
}

/** Creates a separate database for the test file, copied from the template, and drops it at the end. */
export function useTestDatabase(): TestDatabaseHandle {
  let database: TestDatabase;
  let db: Database;
  // Hooks run in the order of their definition, so the hook that drops the database also ends its users.
  const atEnd: (() => Promise<unknown>)[] = [];
  const open: TestDatabaseHandle['open'] = ({
    role,
    maxConnections = 4,
    plansOnce = false,
  } = {}) => {
    const url = role === undefined ? database.url : withRole(database.url, role);
    const pool = openDatabase({
      url,
      applicationName: 'zonewright-test',
      connectTimeoutMs: 15_000,
      maxConnections,
      plansOnce,
    });
    atEnd.push(() => pool.destroy());
    return pool;
  };

  beforeAll(async () => {
    const { url, template } = serverUnderTest();
    database = await createTestDatabase(url, template);
    db = open();
  });
  afterAll(async () => {
    await Promise.all(atEnd.map((end) => end()));
    await database.drop();
  });
  return {
    get url() {
      return database.url;
    },
    get db() {
      return db;
    },
    open,
    listen: async (channel) => {
      const client = new ListeningClient(database.url, channel);
      atEnd.push(() => client.stop());
      await client.start();
      return client;
    },
  };
}

/** Creates an empty database, without the schema, on the server at `serverUrl`. */
export async function createEmptyDatabase(
  serverUrl = serverUnderTest().url,
  owner?: string,
): Promise<TestDatabase> {
  const name = `zonewright_test_${randomBytes(6).toString('hex')}`;
  const execute = async (statement: string) => {
    const db = openDatabase({
      url: serverUrl,
      applicationName: 'zonewright-test',
      connectTimeoutMs: 15_000,
      maxConnections: 1,
    });
    try {
      await db.raw(statement);
    } finally {
      await db.destroy();
    }
  };
  await execute(`create database ${name}${owner === undefined ? '' : ` owner ${owner}`}`);
  return {
    url: databaseUrl(serverUrl, name),
    drop: () => execute(`drop database if exists ${name} with (force)`),
  };
}
