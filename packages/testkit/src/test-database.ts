import { afterAll, beforeAll } from '@jest/globals';
import {
  createTestDatabase,
  type Database,
  type DatabaseRole,
  openDatabase,
  type RetentionRule,
  type TestDatabase,
  withRole,
} from '@zonewright/database';
import { readTestEnvironment } from './environment.js';

/** Database of a test file. Its members can be used from beforeAll on. */
export interface TestDatabaseHandle {
  /** Logs in as the owner of the schema, for fixtures and for checks of written data. */
  readonly url: string;
  readonly db: Database;
  /** Returns the URL with which a service has only its own rights. */
  urlAs(role: DatabaseRole): string;
}

/** Creates a database for the test file from the template, and drops it at the end. */
export function useTestDatabase(): TestDatabaseHandle {
  let database: TestDatabase | undefined;
  let db: Database | undefined;

  beforeAll(async () => {
    const { postgresUrl, template } = readTestEnvironment();
    database = await createTestDatabase(postgresUrl, template);
    db = openDatabase({
      url: database.url,
      applicationName: 'zonewright-test',
      connectTimeoutMs: 15_000,
      acquireTimeoutMs: 15_000,
      maxConnections: 4,
    });
  });
  afterAll(async () => {
    await db?.destroy();
    await database?.drop();
  });

  const started = <T>(value: T | undefined): T => {
    if (value === undefined) throw new Error('The test database does not exist before beforeAll.');
    return value;
  };
  return {
    get url() {
      return started(database).url;
    },
    get db() {
      return started(db);
    },
    urlAs: (role) => withRole(started(database).url, role),
  };
}

/**
 * Runs all retention rules as of a given time. The clock of PostgreSQL has no effect.
 *
 * @returns the number of removed rows by kind
 */
export async function runRetention(
  db: Database,
  rules: readonly RetentionRule[],
  now: Date = new Date(),
): Promise<Record<string, number>> {
  const removed: Record<string, number> = {};
  for (const { kind, removeBatch } of rules) {
    removed[kind] = 0;
    for (let isDone = false; !isDone;) {
      const batch = await db.transaction((trx) => removeBatch(trx, now));
      removed[kind] += batch.removed;
      isDone = batch.isDone;
    }
  }
  return removed;
}
