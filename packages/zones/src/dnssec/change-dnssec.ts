import { SIGNING_ALGORITHMS, type SigningAlgorithm } from '@zonewright/dns-records/dnssec';
import { ServiceError } from '@zonewright/service-kit';
import { requireMayChangeZone } from '../access/key-rules.js';
import { requireMatch } from '../request/precondition.js';
import type { SigningState } from '../rows/signing-state.js';
import { type LockedZone, type Zone, zoneEtag, type ZoneTarget } from '../rows/zone.js';
import { getZoneForChange } from '../domains/get-zone.js';
import { whyNotSignable } from '../signing/begin-signing.js';
import { insertSigning, writeState, writeWish } from '../signing/dnssec-store.js';
import { takeServiceStep, tellParent } from '../signing/service-step.js';
import { findSigning, listZoneKeys, restartFirstSigning } from '../signing/signing-store.js';
import type { UnitOfWork } from '../transactions/unit-of-work.js';

/**
 * Has a zone signed; one that was about to be unsigned stays signed.
 *
 * @throws ServiceError `conflict`: nameservers of an earlier version, the nameservers' own domain, or another algorithm
 */
export async function enableDnssec(
  work: UnitOfWork,
  target: ZoneTarget,
  algorithm: SigningAlgorithm = SIGNING_ALGORITHMS.ecdsaP256,
): Promise<Zone> {
  const { trx, caller } = work;
  const zone = await lockZone(work, target);
  const signing = await findSigning(trx, zone.id);
  if (signing === undefined) {
    await requireSignable(work, zone);
    const at = new Date(work.clock.now());
    if (!work.isDryRun) {
      await insertSigning(trx, { id: zone.id, algorithm, userId: caller.userId, at });
    }
    return zone;
  }
  if (signing.algorithm !== algorithm) {
    throw new ServiceError(
      'conflict',
      `The domain is signed with algorithm ${signing.algorithm}; to change it, have it unsigned first.`,
    );
  }
  if (signing.state === 'signing' || signing.state === 'signed') return zone;
  await changeState(work, zone, 'signed');
  return zone;
}

/**
 * Has a zone unsigned: its DS is announced to be deleted, and it stays signed until the parent shows none. `force`: at once, which
 * is right where no DS ever was.
 */
export async function disableDnssec(
  work: UnitOfWork,
  target: ZoneTarget,
  { force }: { readonly force: boolean },
): Promise<Zone> {
  const zone = await lockZone(work, target);
  const signing = await findSigning(work.trx, zone.id);
  if (signing === undefined || work.isDryRun) return zone;
  if (force || signing.state === 'signing') {
    // What is not served yet is not remembered by anybody.
    if (signing.state === 'signing') await restartFirstSigning(work.trx, zone.id);
    await writeWish(work.trx, zone.id, 'unsign', new Date(work.clock.now()));
  } else if (signing.state === 'signed') {
    await changeState(work, zone, 'leaving');
  }
  return zone;
}

/** Has a zone signed with a new key. @throws ServiceError `conflict`: it is not signed, or a rollover runs */
export async function rollOver(work: UnitOfWork, target: ZoneTarget): Promise<Zone> {
  const zone = await lockZone(work, target);
  const signing = await findSigning(work.trx, zone.id);
  if (signing?.state !== 'signed') {
    throw new ServiceError('conflict', 'The domain is not signed; there is no key to replace.');
  }
  const keys = await listZoneKeys(work.trx, zone.id);
  if (signing.wish === 'rollover' || keys.some(({ state }) => state !== 'active')) {
    throw new ServiceError('conflict', 'A key is being replaced already; wait until that is done.');
  }
  if (!work.isDryRun) {
    await writeWish(work.trx, zone.id, 'rollover', new Date(work.clock.now()));
  }
  return zone;
}

async function lockZone(work: UnitOfWork, target: ZoneTarget): Promise<LockedZone> {
  const zone = await getZoneForChange(work.trx, work.caller, target.id);
  requireMayChangeZone(work.caller);
  requireMatch(target.ifMatch, zoneEtag(zone));
  return zone;
}

async function requireSignable(work: UnitOfWork, zone: Zone): Promise<void> {
  const why = await whyNotSignable(work, zone);
  if (why !== undefined) throw new ServiceError('conflict', why);
}

async function changeState(
  work: UnitOfWork,
  zone: LockedZone,
  state: Extract<SigningState, 'signed' | 'leaving'>,
): Promise<void> {
  if (work.isDryRun) return;
  await writeState(work.trx, zone.id, state, new Date(work.clock.now()));
  await takeServiceStep(work, zone, { state, touched: new Map() });
  await tellParent(work, zone.name);
}
