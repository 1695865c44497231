import {
  errorCode,
  findWrongRights,
  MIGRATIONS,
  readMigrationState,
  SQLSTATE,
} from '@zonewright/database';
import { type Check, error, ok, warning } from './finding.js';

const SCHEMA_AREA = 'schema';
const RUN_MIGRATE = 'Run migrate (npm run db:migrate, or the container migrate).';

const EMPTY =
  'This database does not have the Zonewright schema: it is empty, or it is the wrong database.';
const QUESTION =
  'First check that this is the right database. If there were domains: correct DATABASE_URL or restore the database, and do not run migrate here. ' +
  `For a new installation: ${RUN_MIGRATE}`;

/** Checks that the schema belongs to this version. */
export const checkSchema: Check = async ({ db }) => {
  try {
    const { pending, unknown } = await readMigrationState(db);
    if (pending.length > 0 && unknown.length === 0 && pending[0] === MIGRATIONS[0]?.name) {
      return [error(SCHEMA_AREA, EMPTY, QUESTION)];
    }
    if (pending.length > 0) {
      const what = `The schema is older than these programs; missing: ${pending.join(', ')}.`;
      return [error(SCHEMA_AREA, what, RUN_MIGRATE)];
    }
    if (unknown.length > 0) {
      const what = `The schema is newer than this program by ${unknown.join(', ')}; the program should work nevertheless.`;
      return [
        warning(SCHEMA_AREA, what, 'Upgrade this program to the version of the other programs.'),
      ];
    }
    return [ok(SCHEMA_AREA, 'The schema matches these programs.')];
  } catch (failure) {
    if (errorCode(failure) !== SQLSTATE.insufficientPrivilege) throw failure;
    const what = 'This login is not allowed to read the list of migrations.';
    const advice = `${RUN_MIGRATE} If that does not help, use a login with the rights of zonewright_operator.`;
    return [error(SCHEMA_AREA, what, advice)];
  }
};

const RIGHTS_AREA = 'rights';

/** Checks that each program's role has exactly the privileges that it needs. */
export const checkRights: Check = async ({ db }) => {
  const wrong = await findWrongRights(db);
  if (wrong.length === 0)
    return [ok(RIGHTS_AREA, 'Each role has the rights that it needs and no others.')];
  return wrong.map(({ role, table, privilege, isMissing }) =>
    isMissing
      ? error(
          RIGHTS_AREA,
          `${role} lacks the privilege ${privilege} on ${table}, which it needs.`,
          `As the owner: grant usage on schema ${table.split('.')[0] ?? ''} to ${role}; grant ${privilege.toLowerCase()} on ${table} to ${role};`,
        )
      : warning(
          RIGHTS_AREA,
          `${role} has the privilege ${privilege} on ${table}, which it should not have.`,
          `As the owner: revoke ${privilege.toLowerCase()} on ${table} from ${role}, public;`,
        ),
  );
};
