import { redactUrlCredentials } from '@zonewright/service-kit';
import {
  checkApexes,
  checkDatabaseIdentity,
  checkFeed,
  checkSecondaries,
} from './check-publication.js';
import { checkCatalog } from './check-catalog.js';
import { checkConfiguration } from './check-configuration.js';
import { checkConnections, checkDatabase } from './check-database.js';
import { checkDatabaseClock, checkDisk } from './check-host.js';
import { checkKeys } from './check-keys.js';
import { checkNameservers } from './check-nameservers.js';
import { checkRedis } from './check-redis.js';
import { checkRights, checkSchema } from './check-schema.js';
import { checkServices } from './check-services.js';
import { checkServiceUser } from './check-service-user.js';
import { checkSessions } from './check-sessions.js';
import { checkSigning } from './check-signing.js';
import { checkSnapshotFolder } from './check-snapshot-folder.js';
import { checkWrites } from './check-writes.js';
import { type Check, error, type Examination, type Finding } from './finding.js';

/** Checks that need no database. */
const CHECKS: Readonly<Record<string, Check>> = {
  configuration: checkConfiguration,
  redis: checkRedis,
  services: checkServices,
  snapshots: checkSnapshotFolder,
};

/** Checks that need a database with the schema of this version. */
const DATABASE_CHECKS: Readonly<Record<string, Check>> = {
  rights: checkRights,
  connections: checkConnections,
  sessions: checkSessions,
  writes: checkWrites,
  disk: checkDisk,
  clock: checkDatabaseClock,
  keys: checkKeys,
  catalog: checkCatalog,
  'service user': checkServiceUser,
  feed: checkFeed,
  belief: checkDatabaseIdentity,
  zones: checkApexes,
  nameservers: checkNameservers,
  secondaries: checkSecondaries,
  signing: checkSigning,
};

/** Runs all checks. A check that throws becomes a finding, and the others continue. */
export async function examine(examination: Examination): Promise<Finding[]> {
  const [database, ...others] = await Promise.all([
    run('database', checkDatabase, examination),
    ...Object.entries(CHECKS).map(([area, check]) => run(area, check, examination)),
  ]);
  const findings = [...others.flat(), ...database];
  const doesAnswer = database.some(({ level }) => level === 'ok');
  if (!doesAnswer) return findings;
  const schema = await run('schema', checkSchema, examination);
  findings.push(...schema);
  if (schema.some(({ level }) => level === 'error')) return findings;
  for (const [area, check] of Object.entries(DATABASE_CHECKS)) {
    findings.push(...(await run(area, check, examination)));
  }
  return findings;
}

async function run(
  area: string,
  check: Check,
  examination: Examination,
): Promise<readonly Finding[]> {
  try {
    return await check(examination);
  } catch (failure) {
    const message = failure instanceof Error ? failure.message : String(failure);
    return [
      error(
        area,
        `This could not be checked: ${redactUrlCredentials(message)}`,
        'Correct the problem in the message, and run doctor again.',
      ),
    ];
  }
}
