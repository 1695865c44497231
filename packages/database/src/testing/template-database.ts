import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { openDatabase } from '../connection/connection.js';
import { migrate } from '../schema/migrate.js';

/** A database for one test file, which is a copy of the migrated template. */
export interface TestDatabase {
  /** The URL logs in as the owner of the schema; withRole makes it act as a service. */
  readonly url: string;
  /** Removes the database and ends all connections to it. */
  drop(): Promise<void>;
}

/** Creates the template that createTestDatabase copies: an empty database with the whole schema. */
export async function createTemplateDatabase(serverUrl: string): Promise<string> {
  const name = `zonewright_template_${randomBytes(6).toString('hex')}`;
  await execute(serverUrl, `create database ${name}`);
  const db = openDatabase({
    url: databaseUrl(serverUrl, name),
    applicationName: 'zonewright-test-template',
    maxConnections: 1,
    statementTimeoutMs: 0,
  });
  try {
    await migrate(db);
  } finally {
    await db.destroy();
  }
  return name;
}

/** Copies the template, which takes milliseconds; migrating would take a second. */
export async function createTestDatabase(
  serverUrl: string,
  template: string,
): Promise<TestDatabase> {
  const name = `zonewright_test_${randomBytes(6).toString('hex')}`;
  // The default strategy copies through the write-ahead log. This one copies files, which is safe because templates are
  // never written.
  await execute(serverUrl, `create database ${name} template ${template} strategy file_copy`);
  return {
    url: databaseUrl(serverUrl, name),
    drop: () => execute(serverUrl, `drop database if exists ${name} with (force)`),
  };
}

/** Removes a template that createTemplateDatabase created. */
export async function dropTemplateDatabase(serverUrl: string, template: string): Promise<void> {
  await execute(serverUrl, `drop database if exists ${template} with (force)`);
}

/** Returns the URL of another database of the same server. */
export function databaseUrl(serverUrl: string, name: string): string {
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return url.toString();
}

async function execute(serverUrl: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: serverUrl });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
