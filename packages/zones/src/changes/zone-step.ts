import { nextSerial } from '@zonewright/dns-records';
import type { JournalEntry } from '@zonewright/database';
import { type JournalAuthor, type JournalStep, writeStep } from '../journal/journal-store.js';
import type { UnitOfWork } from '../transactions/unit-of-work.js';
import type { Zone } from '../rows/zone.js';

/** decisions 3, Serial: the time in seconds, or one more than before if that is larger. */
export function serialAfter({ clock }: UnitOfWork, serial: number): number {
  return nextSerial(serial, clock.now() / 1000);
}

/** Who the journal has as the author of what is done here. */
function authorOf({ caller, requestId, source, note }: UnitOfWork): JournalAuthor {
  const { userId, userName, key, accessKeyId = key?.id } = caller;
  return { userId, userName, accessKeyId, requestId, source, note };
}

/** Puts what was done to a zone into the journal and wakes the nameservers; the row itself is written by the caller. */
export async function recordZoneStep(
  work: UnitOfWork,
  step: JournalStep,
  entries: readonly JournalEntry[],
): Promise<void> {
  work.written.octets += await writeStep(work.trx, { ...step, ...authorOf(work) }, entries);
}

/** One step of a living zone: its row as given but for the serial, which is the next, and the journal. */
export async function stepZone(
  work: UnitOfWork,
  before: Zone,
  after: Zone,
  entries: Iterable<JournalEntry>,
): Promise<Zone> {
  const stepped = { ...after, serial: serialAfter(work, before.serial) };
  const step = {
    zoneId: before.id,
    serialBefore: before.serial,
    serialAfter: stepped.serial,
    ...authorOf(work),
  };
  work.written.octets += await writeStep(work.trx, step, entries, stepped);
  return stepped;
}
