import type { Database } from '@zonewright/database';
import { ancestorsOf, nextSerial } from '@zonewright/dns-records';
import type { CanonicalKey } from '@zonewright/dns-records/dnssec';
import type { Clock } from '@zonewright/service-kit';
import type { ZoneSigner } from '../../request/unit-of-work.js';
import { listHostedBelow } from '../../signing/owner-name-store.js';
import {
  findNextRenewal,
  hasMoreNames,
  RENEWED_BEFORE_END_SECONDS,
  writeSignedNames,
} from '../../signing/signed-name-store.js';
import { requestResigning } from '../../signing/dnssec-store.js';
import {
  isEveryName,
  type NamesWithTypes,
  type OnSigned,
  type SignedChange,
  signChange,
  type TouchedNames,
} from '../../signing/sign-step.js';
import {
  findParentSigning,
  findSigning,
  lockZoneToSign,
  restartFirstSigning,
  type ZoneToSign,
} from '../../signing/signing-store.js';
import { writeSerial } from './zone-rows.js';
import { isServedSigned, type SigningState } from '../../rows/signing-state.js';

export interface ServiceChangeContext {
  readonly trx: Database;
  readonly signer: ZoneSigner;
  readonly clock: Clock;
}

interface SignedStep {
  /** The keys of rows that were written or removed. */
  readonly keys: readonly CanonicalKey[];
  /** Number of bytes that the database writes. */
  readonly octets: number;
}

/**
 * The number of a zone's names that are signed in one changeset. If a larger zone needs signatures for all its names,
 * the signer signs it in batches.
 */
const NAMES_OF_STEP = 1_000;

/** Signs a change that has already been written, with its serial. */
export async function signWrittenChange(
  { trx, signer, clock }: ServiceChangeContext,
  zone: ZoneToSign,
  step: {
    readonly serialBefore: number;
    readonly state: SigningState;
    readonly touched: TouchedNames;
    readonly onSigned?: OnSigned;
  },
): Promise<SignedStep> {
  const { touched } = step;
  const isLater = isEveryName(touched) && (await hasMoreNames(trx, zone.id, NAMES_OF_STEP));
  const signed = isLater ? new Map([...touched.now, [zone.name, 'all' as const]]) : touched;
  const change = await signChange(trx, { ...step, touched: signed, zone, signer });
  const serials = { serialBefore: step.serialBefore, serialAfter: zone.serial };
  const octets = await writeSignedNames(trx, { zoneId: zone.id, ...change }, serials);
  if (isLater) await requestResigning(trx, zone.id, new Date(clock.now()));
  return { keys: keysOf(change), octets };
}

/** Returns the keys of rows that are written or removed. */
export function keysOf({ rows, removals }: SignedChange): CanonicalKey[] {
  return [...rows.map(({ key }) => key), ...removals];
}

/** The remaining validity that signatures must have, in seconds. If they expire sooner, all names are signed again. */
const HOLD_ON_SECONDS = 2 * 86_400;

/**
 * Signs a restored zone: its apex, and the names of zones below it that were created in the meantime. If its signatures
 * have expired or expire soon, all names are signed again; if the zone is large, the signer does so in batches. A first
 * signing that was not complete starts again.
 */
export async function signAgain(
  context: ServiceChangeContext,
  zone: ZoneToSign,
  serialBefore: number,
): Promise<void> {
  const { trx, clock } = context;
  const signing = await findSigning(trx, zone.id);
  if (signing === undefined) return;
  const { state } = signing;
  if (!isServedSigned(state)) {
    await restartFirstSigning(trx, zone.id);
    return;
  }
  const renewal = (await findNextRenewal(trx, zone.id))?.getTime() ?? 0;
  const end = renewal + RENEWED_BEFORE_END_SECONDS * 1_000;
  const doesHold = end > clock.now() + HOLD_ON_SECONDS * 1_000;
  const now = await listNamesOfZones(trx, zone.name);
  const touched = doesHold ? now : { now };
  await signWrittenChange(context, zone, { serialBefore, state, touched });
}

/** Returns the apex and the names of zones below it, because those zones were created after this one was deleted. */
async function listNamesOfZones(trx: Database, apex: string): Promise<NamesWithTypes> {
  return new Map([apex, ...(await listHostedBelow(trx, apex))].map((name) => [name, 'all']));
}

/**
 * Adds a changeset to a signed zone that the caller has locked. Users see only the new serial: the journal gets no
 * entries.
 *
 * @returns the zone with its new serial, and the keys of rows that were written and removed
 */
export async function applyServiceChange(
  context: ServiceChangeContext,
  zone: ZoneToSign,
  {
    state,
    touched,
    onSigned,
  }: {
    readonly state: SigningState;
    readonly touched: TouchedNames;
    readonly onSigned?: OnSigned;
  },
): Promise<{ readonly zone: ZoneToSign; readonly keys: readonly CanonicalKey[] }> {
  const { trx, clock } = context;
  const stepped = { ...zone, serial: nextSerial(zone.serial, clock.now() / 1_000) };
  await writeSerial(trx, stepped);
  const step = { serialBefore: zone.serial, state, touched, onSigned };
  const { keys } = await signWrittenChange(context, stepped, step);
  return { zone: stepped, keys };
}

/**
 * Signs the delegation in the signed parent zone when a hosted zone is created or deleted, or gets another DS record.
 * The same transaction does so, because resolvers that trust the parent's NSEC records would otherwise assume that the
 * zone does not exist (RFC 8198). If the parent zone is not signed, nothing happens.
 */
export async function signParent(context: ServiceChangeContext, childName: string): Promise<void> {
  const { trx } = context;
  const parent = await findParentSigning(trx, ancestorsOf(childName));
  if (parent === undefined) return;
  const zone = await lockZoneToSign(trx, parent.id);
  const signing = await findSigning(trx, parent.id);
  if (zone === undefined || signing === undefined) return;
  if (!isServedSigned(signing.state)) {
    await restartFirstSigning(trx, zone.id);
    return;
  }
  const touched = new Map([[childName, 'all' as const]]);
  await applyServiceChange(context, zone, { state: signing.state, touched });
}
