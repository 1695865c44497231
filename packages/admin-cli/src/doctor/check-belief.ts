import { listIdentityMismatches } from '@zonewright/zones';
import type { Check } from './examination.js';
import { error, ok } from './finding.js';

const AREA = 'belief';

/** Whether nameservers believe this database (ADR 0020), or answer what they knew before. */
export const checkDatabaseIdentity: Check = async ({ db }) => {
  const doubts = await listIdentityMismatches(db);
  if (doubts.length === 0) return [ok(AREA, 'No nameserver doubts this database.')];
  return doubts.map(({ name, doubt }) =>
    error(
      AREA,
      `${name} does not believe this database, and answers what it knew: ${doubt}.`,
      'If it is the wrong database, or data is missing: bring back the right one (DATABASE_URL, a restore); nothing is lost until then. ' +
        'If all is as it should be: zonewright-admin nameserver accept-database.',
    ),
  );
};
