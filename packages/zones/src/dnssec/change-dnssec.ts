import { SIGNING_ALGORITHMS, type SigningAlgorithm } from '@zonewright/dns-records/dnssec';
import { ServiceError } from '@zonewright/service-kit';
import { requireMayChangeZone } from '../access/key-rules.js';
import { requireMatch } from '../request/precondition.js';
import { stateToBe } from '../rows/signing-state.js';
import { type LockedZone, type Zone, zoneEtag, type ZoneTarget } from '../rows/zone.js';
import { getZoneForChange } from '../domains/get-zone.js';
import { whyNotServable, whyNotSignable } from '../signing/begin-signing.js';
import { insertSigning, writeAlgorithm, writeWish } from '../signing/dnssec-store.js';
import {
  findSigning,
  listZoneKeys,
  restartFirstSigning,
  type ZoneSigning,
} from '../signing/signing-store.js';
import type { UnitOfWork } from '../transactions/unit-of-work.js';

/** What it takes to ask the signer for something, which it does within a second: no signature. */
export type DnssecWork = Pick<UnitOfWork, 'trx' | 'caller' | 'clock' | 'isDryRun'>;

/**
 * Has a zone signed; one that was about to be unsigned stays signed. With another algorithm than it has, it is signed with a key of
 * that one, and never bogus between (RFC 6781 s4.1.4).
 *
 * @throws ServiceError `conflict`: nameservers of an earlier version, the nameservers' own domain, or a change of algorithm while
 * something else is under way
 */
export async function enableDnssec(
  work: DnssecWork,
  target: ZoneTarget,
  algorithm?: SigningAlgorithm,
): Promise<Zone> {
  const zone = await lockZone(work, target);
  const signing = await findSigning(work.trx, zone.id);
  if (signing === undefined) {
    await requireSignable(work, zone);
    if (!work.isDryRun) await begin(work, zone, algorithm ?? SIGNING_ALGORITHMS.ecdsaP256);
    return zone;
  }
  const state = stateToBe(signing);
  if (algorithm !== undefined && algorithm !== signing.algorithm) {
    await changeAlgorithm(work, zone, signing, algorithm);
  } else if (state === 'leaving' || state === 'unsigning') {
    await ask(work, zone, signing.state === 'signed' ? null : 'stay');
  }
  return zone;
}

/**
 * Has a zone unsigned: its DS is announced to be deleted, and it stays signed until the parent shows none. `force`: at once, which
 * is right where no DS ever was.
 */
export async function disableDnssec(
  work: DnssecWork,
  target: ZoneTarget,
  { force }: { readonly force: boolean },
): Promise<Zone> {
  const zone = await lockZone(work, target);
  const signing = await findSigning(work.trx, zone.id);
  if (signing === undefined || work.isDryRun) return zone;
  if (force || signing.state === 'signing') {
    // What is not served yet is not remembered by anybody.
    if (signing.state === 'signing') await restartFirstSigning(work.trx, zone.id);
    await ask(work, zone, 'unsign');
  } else if (stateToBe(signing) === 'signed') {
    await ask(work, zone, signing.state === 'signed' ? 'leave' : null);
  }
  return zone;
}

/** Has a zone signed with a new key. @throws ServiceError `conflict`: it is not signed, or a rollover runs */
export async function rollOver(work: DnssecWork, target: ZoneTarget): Promise<Zone> {
  const zone = await lockZone(work, target);
  const signing = await findSigning(work.trx, zone.id);
  if (signing === undefined || stateToBe(signing) !== 'signed') {
    throw new ServiceError('conflict', 'The domain is not signed; there is no key to replace.');
  }
  await requireNoRollover(work, zone, signing);
  await ask(work, zone, 'rollover');
  return zone;
}

async function changeAlgorithm(
  work: DnssecWork,
  zone: LockedZone,
  signing: ZoneSigning,
  algorithm: SigningAlgorithm,
): Promise<void> {
  if (stateToBe(signing) !== 'signed') {
    throw new ServiceError(
      'conflict',
      `The domain is on its way with algorithm ${signing.algorithm}; change that when it is signed.`,
    );
  }
  await requireNoRollover(work, zone, signing);
  const why = await whyNotServable(work.trx, 'dnssec-algorithms');
  if (why !== undefined) throw new ServiceError('conflict', why);
  if (work.isDryRun) return;
  await writeAlgorithm(work.trx, zone.id, algorithm);
  await ask(work, zone, 'rollover');
}

async function requireNoRollover(
  { trx }: DnssecWork,
  zone: LockedZone,
  signing: ZoneSigning,
): Promise<void> {
  const keys = await listZoneKeys(trx, zone.id);
  if (signing.wish !== 'rollover' && keys.every(({ state }) => state === 'active')) return;
  throw new ServiceError('conflict', 'A key is being replaced already; wait until that is done.');
}

async function begin(
  { trx, caller, clock }: DnssecWork,
  { id }: LockedZone,
  algorithm: SigningAlgorithm,
): Promise<void> {
  const { userId } = caller;
  await insertSigning(trx, { id, algorithm, userId, at: new Date(clock.now()) });
}

async function ask(
  { trx, clock, isDryRun }: DnssecWork,
  { id }: LockedZone,
  wish: ZoneSigning['wish'],
): Promise<void> {
  if (!isDryRun) await writeWish(trx, id, wish, new Date(clock.now()));
}

async function lockZone(work: DnssecWork, target: ZoneTarget): Promise<LockedZone> {
  const zone = await getZoneForChange(work.trx, work.caller, target.id);
  requireMayChangeZone(work.caller);
  requireMatch(target.ifMatch, zoneEtag(zone));
  return zone;
}

async function requireSignable(work: DnssecWork, zone: Zone): Promise<void> {
  const why = await whyNotSignable(work, zone);
  if (why !== undefined) throw new ServiceError('conflict', why);
}
