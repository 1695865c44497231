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
      `${zones} zones, ${journalEntries} journal entries and ${nameservers} nameservers have positions that this server ` +
        'has not reached: they come from another server, and nameservers read these zones again every second.',
      'Run zonewright-admin feed reset, with --new-serials if the restored data is older than the published data.',
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
      `${name} does not trust this database and still answers with its earlier data: ${doubt}.`,
      'If this is the wrong database, or data is missing: correct DATABASE_URL or restore the right one; nothing is lost until then. ' +
        'If this is the right database: zonewright-admin nameserver accept-database.',
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
        `${name} has settings in its environment that differ from those of the database, which take precedence: ${settings}.`,
        'Remove them from its environment, or change the database: zonewright-admin nameserver set-soa.',
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
    return ok(ZONES_AREA, 'All zones have the latest nameservers and SOA times.');
  }
  const what = `Zones that do not have the latest nameservers and SOA times yet: ${outdated}`;
  const idleSeconds = Math.min(raisedSecondsAgo ?? latestSecondsAgo, latestSecondsAgo);
  if (idleSeconds < IDLE_SECONDS) return ok(ZONES_AREA, `${what}; they are being updated.`);
  return warning(
    ZONES_AREA,
    `${what}; none has been updated for ${Math.round(idleSeconds)} s.`,
    'dns-api updates them: check that it is running, and check its log.',
  );
}

const SECONDARIES_AREA = 'secondaries';
/**
 * The time that secondaries and primaries get: NOTIFY and its retries take half a minute, but the REFRESH interval
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
    return [ok(SECONDARIES_AREA, 'All secondaries that have transferred domains are up to date.')];
  return [
    warning(
      SECONDARIES_AREA,
      `${count} peer(s) have had an old version of a domain for more than ${PATIENCE_SECONDS} s, such as ${example ?? ''}.`,
      'If it is a single one, the tenant must act; if there are many, check that nameservers send NOTIFY (zonewright_notifies_total).',
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
      `${count} peer(s) cannot get a domain because of this service, such as ${example ?? ''}.`,
      'Shorten or remove the record in the message, or change the key or the networks of the peer. The message disappears with the next transfer.',
    ),
  ];
}

async function checkPrimaries(db: Database): Promise<Finding[]> {
  const { count, withheld, example } = await findFailingSecondaries(db);
  if (count === 0)
    return [ok(SECONDARIES_AREA, 'The primaries of all secondary domains provide them.')];
  return [
    warning(
      SECONDARIES_AREA,
      `The primaries of ${count} domain(s) have failed at least three times in a row, such as ${example ?? ''}; queries for ${withheld} of them get SERVFAIL.`,
      'If it is a single one, the tenant must act; if there are many, check that dns-api can reach other servers over TCP.',
    ),
  ];
}
