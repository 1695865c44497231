import { listIgnoredSettings, readApexProgress } from '@zonewright/zones';
import type { Check } from './examination.js';
import { type Finding, ok, warning } from './finding.js';

const AREA = 'zones';
/** A batch follows the other within seconds while dns-api runs. */
const IDLE_SECONDS = 60;

/** Whether all zones show the latest nameservers and SOA times, or how many still have to get them (ADR 0025). */
export const checkApexes: Check = async ({ db }) => {
  const ignored = await listIgnoredSettings(db);
  return [
    judgeProgress(await readApexProgress(db)),
    ...ignored.map(({ name, settings }) =>
      warning(
        AREA,
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
    return ok(AREA, 'All zones show the latest nameservers and SOA times.');
  }
  const what = `Zones that do not show the latest nameservers and SOA times yet: ${outdated}`;
  const idleSeconds = Math.min(raisedSecondsAgo ?? latestSecondsAgo, latestSecondsAgo);
  if (idleSeconds < IDLE_SECONDS) return ok(AREA, `${what}; they are being raised.`);
  return warning(
    AREA,
    `${what}; none has been raised for ${Math.round(idleSeconds)} s.`,
    'dns-api raises them: look whether it runs, and into its log.',
  );
}
