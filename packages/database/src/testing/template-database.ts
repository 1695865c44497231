import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { openDatabase } from '../connection/connection.js';
import { migrate } from '../schema/migrate.js';

/** A database for one test file, a copy of the migrated template. */
export interface TestDatabase {
  /** Logs in as the owner of the schema; see withRole for acting as a service. */
  readonly url: string;
  /** Removes it, ending whatever is still connected. */
  drop(): Promise<void>;
}

/** Makes the template that createTestDatabase copies: an empty database with the whole schema. */
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

/** Copies the template: milliseconds, where migrating would take a second. */
export async function createTestDatabase(
  serverUrl: string,
  template: string,
): Promise<TestDatabase> {
  const name = `zonewright_test_${randomBytes(6).toString('hex')}`;
  // The default strategy copies through the log; this one copies files, and templates are never written.
  await execute(serverUrl, `create database ${name} template ${template} strategy file_copy`);
  return {
    url: databaseUrl(serverUrl, name),
    drop: () => execute(serverUrl, `drop database if exists ${name} with (force)`),
  };
}

/** Removes a template made by createTemplateDatabase. */
export async function dropTemplateDatabase(serverUrl: string, template: string): Promise<void> {
  await execute(serverUrl, `drop database if exists ${template} with (force)`);
}

/** The URL of another database of the same server. */
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
