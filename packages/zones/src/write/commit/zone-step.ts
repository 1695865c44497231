import { nextSerial } from '@zonewright/dns-records';
import type { JournalEntry } from '@zonewright/database';
import { commitChanges, type SignedRows, type ZoneMove } from './commit-store.js';
import { appendEntries, entryParts, type JournalAuthor, changesetValues } from './journal-store.js';
import type { RowChanges } from './record-rows.js';
import { LocksOutdated, type ServiceWork } from '../../request/unit-of-work.js';
import { isServedSigned, type SigningState } from '../../rows/signing-state.js';
import type { Zone } from '../../rows/zone.js';
import { signWrittenChange } from './service-step.js';
import type { ReadSigningSet, UnwrittenRecords } from '../../signing/read-names.js';
import { signedValues } from '../../signing/signed-name-store.js';
import { signChange, type TouchedNames } from '../../signing/sign-step.js';

interface ZoneStep {
  readonly entries: Iterable<JournalEntry>;
  /** The names whose records changed; undefined if the caller signs the zone, or if it is no longer signed. */
  readonly touched: (() => TouchedNames) | undefined;
  /** Set if a deleted zone is restored, or an existing one deleted. */
  readonly life?: ZoneMove['life'];
  /** A serial that the zone's next one must exceed; the default is its current serial. */
  readonly exceeded?: number | undefined;
  /** Rows of records that have not been written yet. */
  readonly rows?: RowChanges | undefined;
  /** The signing state, if it is already known, and the unwritten records that signing must consider. */
  readonly ahead?:
    | { readonly state: SigningState | null; readonly unwritten: UnwrittenRecords }
    | undefined;
}

const NO_ROWS: RowChanges = { gone: [], come: [] };

/** Returns the time in seconds, or the current serial plus one if that is larger (D-ZONE-33). */
export function serialAfter({ clock }: Pick<ServiceWork, 'clock'>, serial: number): number {
  return nextSerial(serial, clock.now() / 1000);
}

/** Returns the author for the journal. */
export function authorOf({ caller, requestId, source, note }: ServiceWork): JournalAuthor {
  const { userId, userName, key, accessKeyId = key?.id } = caller;
  return { userId, userName, accessKeyId, requestId, source, note };
}

/**
 * Signs a changeset before it is written, so that one statement writes all of it. Returns undefined if the zone is
 * not signed or the change is too large.
 */
export async function signAhead(
  { trx, signer, written }: Pick<ServiceWork, 'trx' | 'signer' | 'written'>,
  { zone, serialBefore }: { readonly zone: Zone; readonly serialBefore: number },
  {
    state,
    touched,
    unwritten,
    readSet,
  }: NonNullable<ZoneStep['ahead']> & {
    readonly touched: TouchedNames;
    readonly readSet?: ReadSigningSet;
  },
): Promise<SignedRows | undefined> {
  if (!isServedSigned(state)) return undefined;
  const change = await signChange(trx, { zone, state, touched, signer, unwritten, readSet });
  const signed = signedValues(change);
  if (signed === undefined) return undefined;
  written.octets += signed.octets;
  const { apexVersion } = change;
  return { ...signed, serialBefore, signingState: state, apexVersion };
}

/**
 * Writes one changeset of an existing zone: its row with the next serial, the journal entries and, if the zone is
 * signed, the signatures. The rows of its records have already been written, or are written by the same statement.
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
  // The signing state or the apex records changed after they were read, so the transaction starts again.
  if (committed === undefined) throw new LocksOutdated();
  work.written.octets += octets + (await appendEntries(work.trx, step, parts));
  const { touched } = change;
  const { signingState: state } = committed;
  if (signed === undefined && touched !== undefined && isServedSigned(state)) {
    const later = await signWrittenChange(work, zone, {
      serialBefore,
      state,
      touched: touched(),
    });
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
  return await signAhead(work, step, { touched: touched(), ...ahead });
}
