import { nextSerial } from '@zonewright/dns-records';
import type { JournalEntry } from '@zonewright/database';
import {
  type JournalAuthor,
  type JournalStep,
  type StepRecords,
  writeStep,
} from './journal-store.js';
import type { UnitOfWork } from '../../transactions/unit-of-work.js';
import { isServedSigned, type SigningState } from '../../rows/signing-state.js';
import type { Zone } from '../../rows/zone.js';
import type { UnwrittenRecords } from '../../signing/read-names.js';
import { signWrittenStep } from './service-step.js';
import { signedStepSql, signedStepValues } from '../../signing/signed-name-store.js';
import { signStep, type TouchedNames } from '../../signing/sign-step.js';
import { LocksOutdated } from '../../transactions/in-transaction.js';

interface ZoneStep {
  readonly entries: Iterable<JournalEntry>;
  /** Names at which records changed. */
  readonly touched: TouchedNames;
  /** Rows of records that are not written yet. */
  readonly records?: StepRecords | undefined;
  /** Whether the zone is signed, as far as is known, and what signing must know of records that are written with the step. */
  readonly ahead?:
    | { readonly state: SigningState | null; readonly unwritten: UnwrittenRecords }
    | undefined;
}

/** D-ZONE-33: the time in seconds, or one more than before if that is larger. */
export function serialAfter({ clock }: UnitOfWork, serial: number): number {
  return nextSerial(serial, clock.now() / 1000);
}

const SIGNED_STEP = signedStepSql('true');

/** Returns the author for the journal. */
export function authorOf({ caller, requestId, source, note }: UnitOfWork): JournalAuthor {
  const { userId, userName, key, accessKeyId = key?.id } = caller;
  return { userId, userName, accessKeyId, requestId, source, note };
}

/**
 * Signs a step before it is written, so that one statement writes all of it. Returns undefined if the zone is not signed or the
 * change is too large for that.
 */
async function signAhead(
  { trx, signer }: UnitOfWork,
  zone: Zone,
  { state, touched, unwritten }: NonNullable<ZoneStep['ahead']> & Pick<ZoneStep, 'touched'>,
) {
  if (!isServedSigned(state)) return undefined;
  const change = await signStep(trx, { zone, state, touched, signer, unwritten });
  const signed = signedStepValues(change);
  return signed && { ...signed, apexVersion: change.apexVersion };
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
 * Writes one step of an existing zone: its row with the next serial, and the journal. If the zone is signed, the step is signed,
 * too. The rows of its records have been written, or are written with it.
 */
export async function stepZone(
  work: UnitOfWork,
  before: Zone,
  after: Zone,
  { entries, touched, records, ahead }: ZoneStep,
): Promise<Zone> {
  const stepped = { ...after, serial: serialAfter(work, before.serial) };
  const step = {
    zoneId: before.id,
    serialBefore: before.serial,
    serialAfter: stepped.serial,
    ...authorOf(work),
  };
  const signed = ahead && (await signAhead(work, stepped, { touched, ...ahead }));
  const { octets, signingState, apexVersion } = await writeStep(work.trx, step, entries, {
    zone: stepped,
    records,
    also: signed && { sql: SIGNED_STEP, values: signed.values, name: 'signed' },
  });
  work.written.octets += octets;
  if (signed !== undefined) {
    // How the zone is signed, or what is provided at its apex, changed after it was looked at: from the beginning.
    const isAsSigned = signingState === ahead?.state && apexVersion === signed.apexVersion;
    if (!isAsSigned) throw new LocksOutdated();
    work.written.octets += signed.octets;
  } else if (isServedSigned(signingState)) {
    const signed = await signWrittenStep(work, stepped, {
      serialBefore: before.serial,
      state: signingState,
      touched,
    });
    work.written.octets += signed.octets;
  }
  return stepped;
}
