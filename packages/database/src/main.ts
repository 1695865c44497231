import { readSettings, SettingsError } from '@zonewright/service-kit';
import { type Database, DATABASE_ROLES, openDatabase } from './connection.js';
import { isDatabaseUnavailable } from './errors.js';
import { migrate, setRolePassword } from './migrate.js';
import { MIGRATE_SETTINGS } from './settings.js';

const RETRY_DELAY_MS = 500;

/** `migrate`: brings the schema up to this version, gives roles their logins, and ends. */
async function main(): Promise<void> {
  const settings = readSettings(MIGRATE_SETTINGS, process.env);
  const db = openDatabase({
    url: settings.databaseUrl,
    applicationName: 'zonewright-migrate',
    maxConnections: 2,
    statementTimeoutMs: 0,
  });
  try {
    const applied = await migrateWhenReachable(db, Date.now() + settings.waitSeconds * 1000);
    for (const name of applied) console.log(`migrate: applied ${name}`);
    if (applied.length === 0) console.log('migrate: the schema is up to date');
    for (const [program, password] of Object.entries(settings.passwords)) {
      if (password === undefined) continue;
      await setRolePassword(db, DATABASE_ROLES[program as keyof typeof DATABASE_ROLES], password);
    }
  } finally {
    await db.destroy();
  }
}

async function migrateWhenReachable(db: Database, deadline: number): Promise<readonly string[]> {
  for (;;) {
    try {
      return await migrate(db);
    } catch (error) {
      if (!isDatabaseUnavailable(error) || Date.now() > deadline) throw error;
      console.log('migrate: waiting for PostgreSQL ...');
      await new Promise((resolve) => setTimeout(resolve, RETRY_DELAY_MS));
    }
  }
}

main().catch((error: unknown) => {
  const lines =
    error instanceof SettingsError
      ? error.problems
      : [error instanceof Error ? error.message : String(error)];
  for (const line of lines) console.error(`migrate: ${line}`);
  process.exitCode = error instanceof SettingsError ? 2 : 1;
});
