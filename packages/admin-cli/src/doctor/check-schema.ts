import { errorCode, MIGRATIONS, readMigrationState, SQLSTATE } from '@zonewright/database';
import type { Check } from './examination.js';
import { error, ok, warning } from './finding.js';

const AREA = 'schema';
const RUN_MIGRATE = 'Run migrate (npm run db:migrate, or the container migrate).';

const EMPTY = 'This database has no schema of Zonewright: it is empty, or another one.';
const QUESTION =
  'Ask first whether it is the right database. If there were domains: correct DATABASE_URL, or restore the database, and do not run migrate here. ' +
  `In a new installation: ${RUN_MIGRATE}`;

/** Whether the schema is that of these programs. */
export const checkSchema: Check = async ({ db }) => {
  try {
    const { pending, unknown } = await readMigrationState(db);
    if (pending.length > 0 && unknown.length === 0 && pending[0] === MIGRATIONS[0]?.name) {
      return [error(AREA, EMPTY, QUESTION)];
    }
    if (pending.length > 0) {
      const what = `The schema is behind these programs; missing: ${pending.join(', ')}.`;
      return [error(AREA, what, RUN_MIGRATE)];
    }
    if (unknown.length > 0) {
      const what = `The schema is ahead of this program by ${unknown.join(', ')}; it should work all the same.`;
      return [warning(AREA, what, 'Upgrade this program to the version of the others.')];
    }
    return [ok(AREA, 'The schema is that of these programs.')];
  } catch (failure) {
    if (errorCode(failure) !== SQLSTATE.insufficientPrivilege) throw failure;
    const what = 'This login may not see which migrations the database has had.';
    const advice = `${RUN_MIGRATE} If that changes nothing, use a login with the rights of zonewright_operator.`;
    return [error(AREA, what, advice)];
  }
};
