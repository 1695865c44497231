import {
  readSettings,
  redactUrlCredentials,
  SettingsError,
  type SettingsOf,
} from '@zonewright/service-kit';
import { type Database, DATABASE_ROLES, openDatabase } from './connection/connection.js';
import { errorCode, isDatabaseUnavailable } from './connection/errors.js';
import {
  limitRoleConnections,
  migrate,
  readMigrationState,
  setRolePassword,
} from './schema/migrate.js';
import { MIGRATE_SETTINGS } from './settings.js';

const RETRY_DELAY_MS = 500;

/** `migrate`: updates the schema to this version, sets the passwords of the roles, and ends. */
async function main(): Promise<void> {
  const settings = readSettings(MIGRATE_SETTINGS, process.env);
  const db = openDatabase({
    url: settings.databaseUrl,
    applicationName: 'zonewright-migrate',
    maxConnections: 1,
    statementTimeoutMs: 0,
  });
  try {
    const applied = await migrateWhenReachable(db, settings);
    for (const name of applied) console.log(`migrate: applied ${name}`);
    if (applied.length === 0) console.log('migrate: the schema is up to date');
    const { unknown } = await readMigrationState(db);
    if (unknown.length > 0) {
      console.log(`migrate: the schema is newer than this version by ${unknown.join(', ')}`);
    }
    for (const [program, password] of Object.entries(settings.passwords)) {
      if (password === undefined) continue;
      await setRolePassword(db, DATABASE_ROLES[program as keyof typeof DATABASE_ROLES], password);
    }
    for (const [program, limit] of Object.entries(settings.connectionLimits)) {
      const role = DATABASE_ROLES[program as keyof typeof DATABASE_ROLES];
      if (await limitRoleConnections(db, role, limit)) continue;
      console.log(`migrate: this login is not allowed to limit the connections of ${role}`);
    }
  } finally {
    await db.destroy();
  }
}

async function migrateWhenReachable(
  db: Database,
  { waitSeconds, first }: SettingsOf<typeof MIGRATE_SETTINGS>,
): Promise<readonly string[]> {
  const deadline = Date.now() + waitSeconds * 1000;
  for (;;) {
    try {
      return await migrate(db, { first });
    } catch (error) {
      if (!isDatabaseUnavailable(error) || Date.now() > deadline) throw error;
      console.log(`migrate: waiting for PostgreSQL (${redactUrlCredentials(describe(error))}) ...`);
      await new Promise((resolve) => setTimeout(resolve, RETRY_DELAY_MS));
    }
  }
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  // If every address of a name refuses the connection, Node's error has a code but no message.
  return error.message === '' ? (errorCode(error) ?? error.name) : error.message;
}

main().catch((error: unknown) => {
  const lines = error instanceof SettingsError ? error.problems : [describe(error)];
  for (const line of lines) console.error(`migrate: ${redactUrlCredentials(line)}`);
  process.exitCode = error instanceof SettingsError ? 2 : 1;
});
