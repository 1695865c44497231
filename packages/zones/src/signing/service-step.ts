import type { Database } from '@zonewright/database';
import { ancestorsOf, nextSerial } from '@zonewright/dns-records';
import type { CanonicalKey } from '@zonewright/dns-records/dnssec';
import type { Clock } from '@zonewright/service-kit';
import type { ZoneSigner } from '../transactions/zone-signer.js';
import { writeSignedNames } from './signed-name-store.js';
import { type SignedChange, type SignedItems, signStep, type TouchedNames } from './sign-step.js';
import {
  findParentSigning,
  findSigning,
  lockZoneToSign,
  restartFirstSigning,
  writeSerial,
  type ZoneToSign,
} from './signing-store.js';
import { knowsSigning } from '../rows/knows-signing.js';
import { isServedSigned, type SigningState } from '../rows/signing-state.js';

export interface StepContext {
  readonly trx: Database;
  readonly signer: ZoneSigner;
  readonly clock: Clock;
}

type OnSigned = ((signed: SignedItems) => void) | undefined;

interface SignedStep {
  /** Of rows that were written and removed. */
  readonly keys: readonly CanonicalKey[];
  /** That it makes the database write. */
  readonly octets: number;
}

/** Signs a step of a zone that is written; the serial is among what is signed. */
export async function signWrittenStep(
  { trx, signer }: Pick<StepContext, 'trx' | 'signer'>,
  zone: ZoneToSign,
  step: {
    readonly serialBefore: number;
    readonly state: SigningState;
    readonly touched: TouchedNames;
    readonly onSigned?: OnSigned;
  },
): Promise<SignedStep> {
  const change = await signStep(trx, { ...step, zone, signer });
  const serials = { serialBefore: step.serialBefore, serialAfter: zone.serial };
  const octets = await writeSignedNames(trx, { zoneId: zone.id, ...change }, serials);
  return { keys: keysOf(change), octets };
}

/** Of rows that are written or removed. */
export function keysOf({ rows, removals }: SignedChange): CanonicalKey[] {
  return [...rows.map(({ key }) => key), ...removals];
}

/**
 * A zone that comes back signed is signed from its beginning: its signatures may have ended, and zones below it may have come. One
 * that was about to be signed begins with that again.
 */
export async function signAnew(
  context: Pick<StepContext, 'trx' | 'signer'>,
  zone: ZoneToSign,
  serialBefore: number,
): Promise<void> {
  const { trx } = context;
  const signing = await findSigning(trx, zone.id);
  if (signing === undefined) return;
  const { state } = signing;
  if (!isServedSigned(state)) await restartFirstSigning(trx, zone.id);
  else await signWrittenStep(context, zone, { serialBefore, state, touched: 'everything' });
}

/**
 * A step of a signed zone, held by the caller, of which users see nothing but the serial: its journal has none.
 *
 * @returns the zone with its new serial, and the keys of rows that were written and removed
 */
export async function takeServiceStep(
  context: StepContext,
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
  const { keys } = await signWrittenStep(context, stepped, step);
  return { zone: stepped, keys };
}

/**
 * A zone here came, went, or has another DS: the signed zone above it says so in the same transaction, or resolvers that
 * believe its NSEC would take the zone for not there (RFC 8198). Nothing to do where none is signed.
 */
export async function tellParent(context: StepContext, childName: string): Promise<void> {
  const { trx } = context;
  if (!(await knowsSigning(trx))) return;
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
  await takeServiceStep(context, zone, { state: signing.state, touched });
}
