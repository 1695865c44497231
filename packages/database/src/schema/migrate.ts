import { type Migration, MIGRATIONS } from '../migrations/index.js';
import { type Database, DATABASE_ROLES, type DatabaseRole } from '../connection/connection.js';
import { errorCode, SQLSTATE } from '../connection/errors.js';
import { buildLateIndexes } from './late-indexes.js';
import { scramVerifier } from '../secrets/passwords.js';
import { type ServiceSettings, writeFirstSettings } from '../service-settings/service-settings.js';

const MIGRATIONS_TABLE = 'zonewright_migrations';
const FIRST_MIGRATION = '0001-identity';
/** The migration that creates dns.service_settings. */
const SETTINGS_MIGRATION = '0002-dns';

function runnerOptions(migrations: readonly Migration[]) {
  const toKnex = ({ sql }: Migration) => ({
    up: async (db: Database) => {
      await db.raw(sql);
    },
    // Programs run on later schemas, so going back to an earlier version leaves the schema as it is.
    down: () => Promise.reject(new Error('Migrations cannot be reverted.')),
  });
  return {
    migrationSource: {
      getMigrations: () => Promise.resolve([...migrations]),
      getMigrationName: ({ name }: Migration) => name,
      getMigration: (migration: Migration) => Promise.resolve(toKnex(migration)),
    },
    tableName: MIGRATIONS_TABLE,
    // After a downgrade to this version the database has later migrations. They stay, because programs run on later
    // schemas.
    disableMigrationsListValidation: true,
  };
}

/**
 * The key of the advisory lock that a process holds while it migrates. Waiting for it costs less than a failed start.
 */
export const MIGRATION_LOCK = 7_255_301;

interface MigrateOptions {
  /** The settings of a new database. */
  readonly first?: ServiceSettings | undefined;
  /** The default is MIGRATIONS. */
  readonly migrations?: readonly Migration[];
}

/**
 * Updates the schema to this version of the code. All pending migrations run in one transaction, regardless of their
 * duration; then the indexes are built while other programs write. If several processes call this function at once, the
 * later ones find nothing to do. `db` should have no statement timeout, so that they can wait for the first.
 *
 * @returns the names of the migrations that were applied
 */
export async function migrate(
  db: Database,
  { first, migrations = MIGRATIONS }: MigrateOptions = {},
): Promise<readonly string[]> {
  const names = await db.transaction(async (trx) => {
    await trx.raw('set local statement_timeout = 0');
    await trx.raw('select pg_advisory_xact_lock(?)', [MIGRATION_LOCK]);
    await refuseUnreleased(trx);
    const [, applied] = (await trx.migrate.latest(runnerOptions(migrations))) as [number, string[]];
    if (first !== undefined && applied.includes(SETTINGS_MIGRATION)) {
      await writeFirstSettings(trx, first);
    }
    await letLoginActAsEachRole(trx);
    return applied;
  });
  await buildLateIndexes(
    db,
    migrations.flatMap(({ indexes = [] }) => indexes),
  );
  return names;
}

/** Refuses a database from before 0.1.0, because this list replaces the migrations that created its schema. */
async function refuseUnreleased(db: Database): Promise<void> {
  const { pending, unknown } = await readMigrationState(db);
  if (unknown.length === 0 || !pending.includes(FIRST_MIGRATION)) return;
  throw new Error(
    'This database was created by a version before 0.1.0 and cannot be upgraded. Export its accounts with that version (zonewright-admin account export), and import them into a new database.',
  );
}

/** The differences between the schema and this code. */
export interface MigrationState {
  /** Migrations of this code that the database lacks. */
  readonly pending: readonly string[];
  /** Migrations of the database that this code does not know, because the code is older. */
  readonly unknown: readonly string[];
}

/** Returns the migrations by which the schema is behind this code or ahead of it. */
export async function readMigrationState(db: Database): Promise<MigrationState> {
  const { rows: tables } = await db.raw<{ rows: { found: boolean }[] }>(
    'select to_regclass(?) is not null as found',
    [MIGRATIONS_TABLE],
  );
  const known = MIGRATIONS.map(({ name }) => name);
  if (tables[0]?.found !== true) return { pending: known, unknown: [] };
  const applied = await db<{ name: string }>(MIGRATIONS_TABLE).pluck('name');
  return {
    pending: known.filter((name) => !applied.includes(name)),
    unknown: applied.filter((name) => !known.includes(name)),
  };
}

/** Returns the number of migrations by which the schema is behind this code; 0 if none is pending. */
export async function countPendingMigrations(db: Database): Promise<number> {
  return (await readMigrationState(db)).pending.length;
}

/**
 * Gives a role its own login, for installations where each program connects with its own password. The server receives
 * only the password's SCRAM verifier, so that no statement, log or error contains the password.
 */
export async function setRolePassword(
  db: Database,
  role: DatabaseRole,
  password: string,
): Promise<void> {
  // ALTER ROLE takes no parameters; a verifier needs no escaping.
  await db.raw(`alter role ?? login password '${scramVerifier(password)}'`, [role]);
}

/**
 * Limits the number of sessions of a role's login, so that a compromised program leaves sessions for the others; 0
 * means no limit. Returns false if the login may not change the role.
 */
export async function limitRoleConnections(
  db: Database,
  role: DatabaseRole,
  limit: number,
): Promise<boolean> {
  const wanted = limit === 0 ? -1 : limit;
  const { rows } = await db.raw<{ rows: unknown[] }>(
    'select from pg_roles as r where r.rolname = ? and r.rolconnlimit = ?',
    [role, wanted],
  );
  if (rows.length > 0) return true;
  try {
    // ALTER ROLE takes no parameters.
    await db.raw(`alter role ?? connection limit ${wanted}`, [role]);
    return true;
  } catch (error) {
    if (errorCode(error) === SQLSTATE.insufficientPrivilege) return false;
    throw error;
  }
}

/**
 * Lets the login that owns the schema act as each program's role (withRole), for development and tests. A superuser
 * always may. Since PostgreSQL 16, any other creator of a role may not. The migration also works if the login may not
 * grant the roles because another login created them.
 */
async function letLoginActAsEachRole(trx: Database): Promise<void> {
  for (const role of Object.values(DATABASE_ROLES)) {
    await trx.raw(`
      do $body$
      declare
        privilege constant text :=
          case when current_setting('server_version_num')::int >= 160000 then 'SET' else 'MEMBER' end;
      begin
        if not pg_has_role(current_user, '${role}', privilege) then
          grant ${role} to current_user;
        end if;
      exception when insufficient_privilege then null;
      end
      $body$;
    `);
  }
}
