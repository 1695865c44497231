import { nextSerial } from '@zonewright/dns-records';
import type { JournalEntry } from '@zonewright/database';
import { commitChanges, type SignedRows, type ZoneMove } from './commit-store.js';
import {
  appendEntries,
  entryParts,
  type JournalAuthor,
  type JournalContext,
  changesetValues,
} from './journal-store.js';
import type { RowChanges } from './record-rows.js';
import { LocksOutdated, type ServiceWork } from '../../request/unit-of-work.js';
import { isServedSigned, type SigningState } from '../../rows/signing-state.js';
import type { Zone } from '../../rows/zone.js';
import type { UnwrittenRecords } from '../../signing/read-names.js';
import { signWrittenChange } from './service-step.js';
import { signedChangeValues } from '../../signing/signed-name-store.js';
import { signChange, type TouchedNames } from '../../signing/sign-step.js';

interface ZoneStep {
  readonly entries: Iterable<JournalEntry>;
  /** Names at which records changed; undefined: a signed zone is signed by the caller, or no longer. */
  readonly touched: TouchedNames | undefined;
  /** Whether a deleted zone comes back, or a living one is deleted. */
  readonly life?: ZoneMove['life'];
  /** Serial that the zone's next one must exceed, if not its own. */
  readonly exceeded?: number | undefined;
  /** Rows of records that are not written yet. */
  readonly rows?: RowChanges | undefined;
  /** Whether the zone is signed, as far as is known, and what signing must know of records that are written with the step. */
  readonly ahead?:
    | { readonly state: SigningState | null; readonly unwritten: UnwrittenRecords }
    | undefined;
}

const NO_ROWS: RowChanges = { gone: [], come: [] };

/** D-ZONE-33: the time in seconds, or one more than before if that is larger. */
export function serialAfter({ clock }: Pick<ServiceWork, 'clock'>, serial: number): number {
  return nextSerial(serial, clock.now() / 1000);
}

/** Returns the author for the journal. */
export function authorOf({ caller, requestId, source, note }: ServiceWork): JournalAuthor {
  const { userId, userName, key, accessKeyId = key?.id } = caller;
  return { userId, userName, accessKeyId, requestId, source, note };
}

/**
 * Signs a step before it is written, so that one statement writes all of it. Returns undefined if the zone is not signed or the
 * change is too large for that.
 */
export async function signAhead(
  { trx, signer, written }: Pick<ServiceWork, 'trx' | 'signer' | 'written'>,
  { zone, serialBefore }: { readonly zone: Zone; readonly serialBefore: number },
  {
    state,
    touched,
    unwritten,
  }: NonNullable<ZoneStep['ahead']> & { readonly touched: TouchedNames },
): Promise<SignedRows | undefined> {
  if (!isServedSigned(state)) return undefined;
  const change = await signChange(trx, { zone, state, touched, signer, unwritten });
  const signed = signedChangeValues(change);
  if (signed === undefined) return undefined;
  written.octets += signed.octets;
  const { apexVersion } = change;
  return { ...signed.values, serialBefore, signingState: state, apexVersion };
}

/** Puts what was done to a zone into the journal and wakes the nameservers; the row itself is written by the caller. */
export async function recordZoneChange(
  work: ServiceWork,
  step: JournalContext,
  entries: Iterable<JournalEntry>,
): Promise<void> {
  const written = { ...step, ...authorOf(work) };
  work.written.octets += await appendEntries(work.trx, written, entryParts(written, entries));
}

/**
 * Writes one step of an existing zone: its row with the next serial, and the journal. If the zone is signed, the step is signed,
 * too. The rows of its records have been written, or are written with it.
 */
export async function commitZone(
  work: ServiceWork,
  before: Zone,
  after: Zone,
  change: ZoneStep,
): Promise<Zone> {
  const { entries, exceeded = before.serial, rows = NO_ROWS } = change;
  const zone = { ...after, serial: serialAfter(work, exceeded) };
  const serialBefore = before.serial;
  const step = { zoneId: zone.id, serialBefore, serialAfter: zone.serial, ...authorOf(work) };
  const signed = await signIfAhead(work, { zone, serialBefore }, change);
  const parts = entryParts(step, entries);
  const { json = '[]', octets = 0 } = parts.next().value ?? {};
  const move = moveOf(before, after, change);
  const commit = { zone, move, step: changesetValues(step), entries: json, rows, signed };
  const [committed] = await commitChanges(work.trx, [commit]);
  // How the zone is signed, or what is provided at its apex, changed after it was looked at: from the beginning.
  if (committed === undefined) throw new LocksOutdated();
  work.written.octets += octets + (await appendEntries(work.trx, step, parts));
  const { touched } = change;
  const { signingState: state } = committed;
  if (signed === undefined && touched !== undefined && isServedSigned(state)) {
    const later = await signWrittenChange(work, zone, { serialBefore, state, touched });
    work.written.octets += later.octets;
  }
  return zone;
}

function moveOf(before: Zone, after: Zone, { life = 'stays' }: ZoneStep): ZoneMove | undefined {
  if (life === 'stays' && before.tenantId === after.tenantId) return undefined;
  return { ownerId: before.tenantId, life };
}

async function signIfAhead(
  work: ServiceWork,
  step: { readonly zone: Zone; readonly serialBefore: number },
  { touched, ahead }: ZoneStep,
): Promise<SignedRows | undefined> {
  if (ahead === undefined || touched === undefined) return undefined;
  return await signAhead(work, step, { touched, ...ahead });
}
