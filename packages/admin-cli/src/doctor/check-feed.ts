import { countUnreachedPositions } from '@zonewright/zones';
import type { Check } from './examination.js';
import { ok, warning } from './finding.js';

const AREA = 'feed';

/** Whether positions in rows are those of this cluster, and not of one that it was restored from. */
export const checkFeed: Check = async ({ db }) => {
  const { zones, journalEntries, nameservers } = await countUnreachedPositions(db);
  if (zones + journalEntries + nameservers === 0) {
    return [ok(AREA, 'No zone is ahead of the change feed.')];
  }
  return [
    warning(
      AREA,
      `${zones} zones, ${journalEntries} journal entries and ${nameservers} nameservers carry positions that this server ` +
        'has not reached: they come from another one, and nameservers read those zones again each second.',
      'Run zonewright-admin feed restamp, with --new-serials if the restored data is older than what was answered.',
    ),
  ];
};
