import type { Database } from '@zonewright/database';
import {
  countUnreachedPositions,
  findFailingSecondaries,
  findLaggingPeers,
  findRefusedPeers,
  listIdentityMismatches,
  listIgnoredSettings,
  readApexProgress,
} from '@zonewright/zones';
import { type Check, error, type Finding, ok, warning } from './finding.js';

const FEED_AREA = 'feed';

/** Checks that positions in rows belong to this cluster, and not to one that it was restored from. */
export const checkFeed: Check = async ({ db }) => {
  const { zones, journalEntries, nameservers } = await countUnreachedPositions(db);
  if (zones + journalEntries + nameservers === 0) {
    return [ok(FEED_AREA, 'No zone is ahead of the change feed.')];
  }
  return [
    warning(
      FEED_AREA,
      `${zones} zones, ${journalEntries} journal entries and ${nameservers} nameservers carry positions that this server ` +
        'has not reached: they come from another one, and nameservers read those zones again each second.',
      'Run zonewright-admin feed reset, with --new-serials if the restored data is older than what was answered.',
    ),
  ];
};

const BELIEF_AREA = 'belief';

/** Checks that nameservers accept this database (ADR 0020) and do not answer from older data. */
export const checkDatabaseIdentity: Check = async ({ db }) => {
  const doubts = await listIdentityMismatches(db);
  if (doubts.length === 0) return [ok(BELIEF_AREA, 'All nameservers trust this database.')];
  return doubts.map(({ name, doubt }) =>
    error(
      BELIEF_AREA,
      `${name} does not believe this database, and answers what it knew: ${doubt}.`,
      'If it is the wrong database, or data is missing: bring back the right one (DATABASE_URL, a restore); nothing is lost until then. ' +
        'If all is as it should be: zonewright-admin nameserver accept-database.',
    ),
  );
};

const ZONES_AREA = 'zones';
/**
 * The time after which a rollout counts as stopped: while dns-api runs, its batches follow each other within seconds.
 */
const IDLE_SECONDS = 60;

/** Checks that all zones have the latest nameservers and SOA times (ADR 0025), and counts those that do not. */
export const checkApexes: Check = async ({ db }) => {
  const ignored = await listIgnoredSettings(db);
  return [
    judgeProgress(await readApexProgress(db)),
    ...ignored.map(({ name, settings }) =>
      warning(
        ZONES_AREA,
        `${name} has settings in its environment that are not those of the database, which count: ${settings}.`,
        'Take them out of its environment, or bring them into the database: zonewright-admin nameserver set-soa.',
      ),
    ),
  ];
};

function judgeProgress({
  outdated,
  raisedSecondsAgo,
  latestSecondsAgo,
}: Awaited<ReturnType<typeof readApexProgress>>): Finding {
  if (outdated === 0) {
    return ok(ZONES_AREA, 'All zones show the latest nameservers and SOA times.');
  }
  const what = `Zones that do not show the latest nameservers and SOA times yet: ${outdated}`;
  const idleSeconds = Math.min(raisedSecondsAgo ?? latestSecondsAgo, latestSecondsAgo);
  if (idleSeconds < IDLE_SECONDS) return ok(ZONES_AREA, `${what}; they are being raised.`);
  return warning(
    ZONES_AREA,
    `${what}; none has been raised for ${Math.round(idleSeconds)} s.`,
    'dns-api raises them: look whether it runs, and into its log.',
  );
}

const SECONDARIES_AREA = 'secondaries';
/**
 * The time that secondaries and primaries get: NOTIFY and its repetitions take half a minute, but the REFRESH interval
 * of the SOA is hours.
 */
const PATIENCE_SECONDS = 300;

/** Checks that the tenants' secondaries follow this service, and this service their primaries. */
export const checkSecondaries: Check = async ({ db }) => [
  ...(await checkPeers(db)),
  ...(await checkRefusals(db)),
  ...(await checkPrimaries(db)),
];

async function checkPeers(db: Database): Promise<Finding[]> {
  const { count, example } = await findLaggingPeers(db, PATIENCE_SECONDS);
  if (count === 0)
    return [ok(SECONDARIES_AREA, 'Secondaries that have asked for domains have them as they are.')];
  return [
    warning(
      SECONDARIES_AREA,
      `${count} peer(s) have had an old version of a domain for more than ${PATIENCE_SECONDS} s, such as ${example ?? ''}.`,
      "If it is one, it is the tenant's matter; if it is many, look whether nameservers send NOTIFY (zonewright_notifies_total).",
    ),
  ];
}

/** Reports transfers that this service refused for a reason that the other side cannot see. */
async function checkRefusals(db: Database): Promise<Finding[]> {
  const { count, example } = await findRefusedPeers(db);
  if (count === 0) return [];
  return [
    warning(
      SECONDARIES_AREA,
      `${count} peer(s) do not get a domain because of this service, such as ${example ?? ''}.`,
      'Shorten or remove the record that it names, or change the key or the networks of the peer. The message goes with the next transfer.',
    ),
  ];
}

async function checkPrimaries(db: Database): Promise<Finding[]> {
  const { count, withheld, example } = await findFailingSecondaries(db);
  if (count === 0) return [ok(SECONDARIES_AREA, 'The primaries of secondary domains give them.')];
  return [
    warning(
      SECONDARIES_AREA,
      `The primaries of ${count} domain(s) have failed three times in a row, or more, such as ${example ?? ''}; ${withheld} of them are not answered.`,
      "If it is one, it is the tenant's matter; if it is many, look whether dns-api can reach other servers over TCP.",
    ),
  ];
}
