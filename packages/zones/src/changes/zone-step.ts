import { nextSerial } from '@zonewright/dns-records';
import type { JournalEntry } from '@zonewright/database';
import {
  type JournalAuthor,
  type JournalStep,
  type StepRecords,
  writeStep,
} from '../journal/journal-store.js';
import type { UnitOfWork } from '../transactions/unit-of-work.js';
import { isServedSigned } from '../rows/signing-state.js';
import type { Zone } from '../rows/zone.js';
import { signWrittenStep } from '../signing/service-step.js';
import type { TouchedNames } from '../signing/sign-step.js';

interface ZoneStep {
  readonly entries: Iterable<JournalEntry>;
  /** Where records changed. */
  readonly touched: TouchedNames;
  /** Rows of records that are not written yet. */
  readonly records?: StepRecords | undefined;
}

/** decisions 3, Serial: the time in seconds, or one more than before if that is larger. */
export function serialAfter({ clock }: UnitOfWork, serial: number): number {
  return nextSerial(serial, clock.now() / 1000);
}

/** Who the journal has as the author of what is done here. */
export function authorOf({ caller, requestId, source, note }: UnitOfWork): JournalAuthor {
  const { userId, userName, key, accessKeyId = key?.id } = caller;
  return { userId, userName, accessKeyId, requestId, source, note };
}

/** Puts what was done to a zone into the journal and wakes the nameservers; the row itself is written by the caller. */
export async function recordZoneStep(
  work: UnitOfWork,
  step: JournalStep,
  entries: readonly JournalEntry[],
): Promise<void> {
  const { octets } = await writeStep(work.trx, { ...step, ...authorOf(work) }, entries);
  work.written.octets += octets;
}

/**
 * One step of a living zone: its row as given but for the serial, which is the next, and the journal. Where the zone is signed, so
 * is the step: the rows of its records have been written, or are with it.
 */
export async function stepZone(
  work: UnitOfWork,
  before: Zone,
  after: Zone,
  { entries, touched, records }: ZoneStep,
): Promise<Zone> {
  const stepped = { ...after, serial: serialAfter(work, before.serial) };
  const step = {
    zoneId: before.id,
    serialBefore: before.serial,
    serialAfter: stepped.serial,
    ...authorOf(work),
  };
  const { octets, signingState } = await writeStep(work.trx, step, entries, {
    zone: stepped,
    records,
  });
  work.written.octets += octets;
  if (isServedSigned(signingState)) {
    const signed = await signWrittenStep(work, stepped, {
      serialBefore: before.serial,
      state: signingState,
      touched,
    });
    work.written.octets += signed.octets;
  }
  return stepped;
}
