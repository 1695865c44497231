import type { JournalEntry } from '@zonewright/database';
import { toZoneImage } from '../journal/zone-image.js';
import type { ZoneRecord } from '../rows/record.js';
import type { LockedZone, Zone } from '../rows/zone.js';
import type { UnitOfWork } from '../transactions/unit-of-work.js';
import { toJournalEntry } from '../write/commit/journal-store.js';
import { commitZone } from '../write/commit/zone-step.js';

/**
 * A step that replaces all records of a zone, or what is served at its apex. The journal has one entry for that: nameservers read the
 * whole zone, and the history cannot restore records of a time before it.
 *
 * @param gone records that are deleted with it, each with an entry of its own
 */
export async function changeReplaced(
  work: UnitOfWork,
  zone: LockedZone,
  replaced: 'records' | 'apex',
  {
    recordCount = zone.recordCount,
    gone = [],
  }: { readonly recordCount?: number; readonly gone?: readonly ZoneRecord[] } = {},
): Promise<Zone> {
  const image = toZoneImage(zone);
  const entries: JournalEntry[] = [
    { action: 'domain-update', before: image, after: { ...image, replaced } },
    ...gone.map((before) => toJournalEntry({ before, after: undefined })),
  ];
  const after = {
    ...zone,
    recordCount: recordCount - gone.length,
    version: zone.version + 1,
    updatedAt: zone.now,
  };
  return await commitZone(work, zone, after, {
    entries,
    touched: { now: new Map() },
    rows: { gone, come: [] },
  });
}
