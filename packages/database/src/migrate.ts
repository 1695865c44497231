import { MIGRATIONS } from './migrations/index.js';
import { type Database, DATABASE_ROLES, type DatabaseRole } from './connection.js';

type NamedMigration = (typeof MIGRATIONS)[number];

const MIGRATION_OPTIONS = {
  migrationSource: {
    getMigrations: () => Promise.resolve([...MIGRATIONS]),
    getMigrationName: (migration: NamedMigration) => migration.name,
    getMigration: (migration: NamedMigration) => Promise.resolve(migration.migration),
  },
  tableName: 'zonewright_migrations',
};

/** One number for "somebody is migrating this database"; waiting for it costs less than a failed start. */
const MIGRATION_LOCK = 7_255_301;

/**
 * Brings the schema to this version of the code: all pending migrations, each in a transaction. Several
 * processes may call it at once; the later ones find nothing to do.
 *
 * @returns the names of the migrations that were applied.
 */
export async function migrate(db: Database): Promise<readonly string[]> {
  return await db.transaction(async (lock) => {
    await lock.raw('select pg_advisory_xact_lock(?)', [MIGRATION_LOCK]);
    const [, applied] = (await db.migrate.latest(MIGRATION_OPTIONS)) as [number, string[]];
    await letLoginActAsEachRole(db);
    return applied;
  });
}

/** How far the schema is behind this code; 0 when it is in step. */
export async function countPendingMigrations(db: Database): Promise<number> {
  const [, pending] = (await db.migrate.list(MIGRATION_OPTIONS)) as [unknown[], unknown[]];
  return pending.length;
}

/**
 * Gives a role a login of its own, for installations where each program connects with its own password.
 */
export async function setRolePassword(
  db: Database,
  role: DatabaseRole,
  password: string,
): Promise<void> {
  // ALTER ROLE takes no parameters; format() quotes what knex has passed as a value.
  const { rows } = await db.raw<{ rows: { statement: string }[] }>(
    `select format('alter role %I login password %L', ?::text, ?::text) as statement`,
    [role, password],
  );
  for (const row of rows) await db.raw(row.statement.replaceAll('?', '\\?'));
}

/**
 * Lets the login that owns the schema act as each program's role (withRole): a superuser always may, since
 * PostgreSQL 16 another creator of a role may not.
 */
async function letLoginActAsEachRole(db: Database): Promise<void> {
  for (const role of Object.values(DATABASE_ROLES)) {
    const { rows } = await db.raw<{ rows: { may: boolean }[] }>(
      `select pg_has_role(current_user, ?, 'member') as may`,
      [role],
    );
    if (rows[0]?.may !== true) await db.raw(`grant ${role} to current_user`);
  }
}
