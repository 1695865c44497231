import { findWrongRights } from '@zonewright/database';
import type { Check } from './examination.js';
import { error, ok, warning } from './finding.js';

const AREA = 'rights';

/** Whether each program's role may do what it needs and nothing else. */
export const checkRights: Check = async ({ db }) => {
  const wrong = await findWrongRights(db);
  if (wrong.length === 0)
    return [ok(AREA, 'Each role has the rights that it needs, and no others.')];
  return wrong.map(({ role, table, privilege, isMissing }) =>
    isMissing
      ? error(
          AREA,
          `${role} may not ${privilege} on ${table}, which it needs.`,
          `As the owner: grant usage on schema ${table.split('.')[0] ?? ''} to ${role}; grant ${privilege.toLowerCase()} on ${table} to ${role};`,
        )
      : warning(
          AREA,
          `${role} may ${privilege} on ${table}, which it should not.`,
          `As the owner: revoke ${privilege.toLowerCase()} on ${table} from ${role}, public;`,
        ),
  );
};
