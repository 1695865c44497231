import { SIGNING_ALGORITHMS, type SigningAlgorithm } from '@zonewright/dns-records/dnssec';
import { ServiceError } from '@zonewright/service-kit';
import { requireMatch } from '../request/rules.js';
import type { UnitOfWork } from '../request/unit-of-work.js';
import { getZoneForChange } from '../rows/get-zone.js';
import { requireMayChangeZone } from '../rows/key-rules.js';
import {
  externalKeys,
  ownKeys,
  type RequestedSigning,
  type SigningState,
  stateToBe,
} from '../rows/signing-state.js';
import { type LockedZone, type Zone, zoneEtag, type ZoneTarget } from '../rows/zone.js';
import { whyNotServable, whyNotSignable } from './begin-signing.js';
import { insertSigning, writeAlgorithm, writeSigningRequest } from './dnssec-store.js';
import { writeDesiredExternalKeys } from './foreign-keys.js';
import {
  type DesiredExternalKeys,
  findSigning,
  listZoneKeys,
  type ZoneSigning,
} from './signing-store.js';
import { listOwnKeyTags } from './zone-key-store.js';

/**
 * Members of a unit of work that a request to the signer needs. No signature is needed, since the signer acts within a
 * second.
 */
export type DnssecWork = Pick<UnitOfWork, 'trx' | 'caller' | 'clock' | 'isDryRun'>;

/** Desired signing of a zone. */
interface DnssecWish {
  /** Undefined means the current algorithm, or the algorithm of the other provider's keys, or 13. */
  readonly algorithm?: SigningAlgorithm | undefined;
  /** Undefined means no change. */
  readonly foreign?: DesiredExternalKeys | undefined;
}

/**
 * Requests that a zone is signed. A request to unsign it is cancelled. With a different algorithm, it gets a key with
 * that algorithm, and is never bogus in between (RFC 6781 s4.1.4).
 *
 * @throws ServiceError `conflict`: nameservers of an earlier version, the nameservers' own domain, or a change of
 * algorithm while another request is in progress
 */
export async function enableDnssec(
  work: DnssecWork,
  target: ZoneTarget,
  wish: DnssecWish = {},
): Promise<Zone> {
  const zone = await lockZone(work, target);
  const signing = await findSigning(work.trx, zone.id);
  if (signing === undefined) await begin(work, zone, wish);
  else await changeSigning(work, zone, signing, wish);
  return zone;
}

async function changeSigning(
  work: DnssecWork,
  zone: LockedZone,
  signing: ZoneSigning,
  { algorithm, foreign }: DnssecWish,
): Promise<void> {
  const wanted = { ...signing, wish: requestAfter(signing, 'sign') };
  if (algorithm !== undefined && algorithm !== signing.algorithm) {
    if (foreign !== undefined) {
      throw new ServiceError('conflict', 'Change the algorithm first, then "foreign_keys".');
    }
    await changeAlgorithm(work, zone, wanted, algorithm);
  } else if (wanted.wish !== signing.wish) {
    await ask(work, zone, wanted.wish);
  }
  if (foreign !== undefined) await changeForeignKeys(work, zone, wanted, foreign);
}

/**
 * Requests that a zone is unsigned. The deletion of its DS is announced (CDS), and the zone stays signed until the
 * parent has none. `force` removes the signatures at once, which is correct if there never was a DS.
 */
export async function disableDnssec(
  work: DnssecWork,
  target: ZoneTarget,
  { force }: { readonly force: boolean },
): Promise<Zone> {
  const zone = await lockZone(work, target);
  const signing = await findSigning(work.trx, zone.id);
  if (signing === undefined) return zone;
  const wish = requestAfter(signing, force ? 'unsign' : 'leave');
  if (wish !== signing.wish) await ask(work, zone, wish);
  return zone;
}

/** Requests a new key. @throws ServiceError `conflict`: the zone is not signed, or a rollover is in progress */
export async function rollOver(work: DnssecWork, target: ZoneTarget): Promise<Zone> {
  const zone = await lockZone(work, target);
  const signing = await findSigning(work.trx, zone.id);
  if (signing === undefined) {
    throw new ServiceError('conflict', 'The domain is not signed; there is no key to replace.');
  }
  if (stateToBe(signing) !== 'signed') {
    throw new ServiceError(
      'conflict',
      'The domain is not signed yet, or its signing is ending; replace its key when it is signed.',
    );
  }
  await requireNoRollover(work, zone, signing);
  await requireNoForeignKeys(work, zone, signing);
  await ask(work, zone, 'rollover');
  return zone;
}

/**
 * Sets the keys of another provider for a zone. Keys that are not listed are removed when the parent has only DS of
 * this service's keys and cached DS have expired. If `atOnce` is set, they are removed without waiting.
 */
async function changeForeignKeys(
  work: DnssecWork,
  zone: LockedZone,
  signing: ZoneSigning,
  foreign: DesiredExternalKeys,
): Promise<void> {
  await requireNoRollover(work, zone, signing);
  await wantForeignKeys(work, zone, foreign, signing.algorithm);
}

async function wantForeignKeys(
  { trx, clock, isDryRun }: DnssecWork,
  { id }: LockedZone,
  foreign: DesiredExternalKeys,
  algorithm: SigningAlgorithm,
): Promise<void> {
  const other = foreign.keys.find((key) => key.algorithm !== algorithm);
  if (other !== undefined) {
    throw new ServiceError(
      'conflict',
      `The domain is signed with algorithm ${algorithm}, but the key ${other.keyTag} of the other provider has algorithm ${other.algorithm}. Both must be the same (RFC 8901); change the algorithm first.`,
    );
  }
  const tags = await listOwnKeyTags(trx, id);
  const taken = foreign.keys.find(({ keyTag }) => tags.includes(keyTag));
  if (taken !== undefined) {
    throw new ServiceError(
      'conflict',
      `A key of the domain and a key of the other provider have the same tag ${taken.keyTag}; ask the other provider to create a new key.`,
    );
  }
  if (!isDryRun) await writeDesiredExternalKeys(trx, id, foreign, new Date(clock.now()));
}

/**
 * Rejects the change if the zone has keys of another provider. Resolvers with the other provider's DNSKEY could not
 * validate signatures of a new key (RFC 8901 s6).
 */
async function requireNoForeignKeys(
  { trx }: DnssecWork,
  zone: LockedZone,
  { foreignKeys: wanted }: ZoneSigning,
): Promise<void> {
  const there = externalKeys(await listZoneKeys(trx, zone.id));
  if (there.length === 0 && (wanted?.keys.length ?? 0) === 0) return;
  throw new ServiceError(
    'conflict',
    'Another provider also signs the domain; replace the key when the move is complete and "foreign_keys" is empty.',
  );
}

async function changeAlgorithm(
  work: DnssecWork,
  zone: LockedZone,
  signing: ZoneSigning,
  algorithm: SigningAlgorithm,
): Promise<void> {
  if (signing.state !== 'signed') {
    throw new ServiceError(
      'conflict',
      `Signing with algorithm ${signing.algorithm} is in progress; change the algorithm when the domain is signed.`,
    );
  }
  await requireNoRollover(work, zone, signing);
  await requireNoForeignKeys(work, zone, signing);
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
  if (signing.wish !== 'rollover' && ownKeys(keys).every(({ state }) => state === 'active')) return;
  throw new ServiceError(
    'conflict',
    'A key is already being replaced; wait until this is complete.',
  );
}

async function begin(
  work: DnssecWork,
  zone: LockedZone,
  { algorithm: chosen, foreign }: DnssecWish,
): Promise<void> {
  await requireSignable(work, zone);
  const algorithm = chosen ?? foreign?.keys[0]?.algorithm ?? SIGNING_ALGORITHMS.ecdsaP256;
  const { trx, caller, clock, isDryRun } = work;
  if (!isDryRun) {
    const at = new Date(clock.now());
    await insertSigning(trx, { id: zone.id, algorithm, userId: caller.userId, at });
  }
  if (foreign !== undefined) await wantForeignKeys(work, zone, foreign, algorithm);
}

async function ask(
  { trx, clock, isDryRun }: DnssecWork,
  { id }: LockedZone,
  wish: ZoneSigning['wish'],
): Promise<void> {
  if (!isDryRun) await writeSigningRequest(trx, id, wish, new Date(clock.now()));
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

/** Requests of users for a zone that is signed, or is about to be signed or unsigned. */
export type SigningRequest = 'sign' | 'leave' | 'unsign';

/**
 * Returns the request that the signer finds after a user's request. The last request wins: an earlier one that the
 * signer has not completed is replaced or cancelled. Null if the signer only has to continue with the state of the
 * zone.
 */
export function requestAfter(
  { state, wish }: { readonly state: SigningState; readonly wish: RequestedSigning | null },
  request: SigningRequest,
): RequestedSigning | null {
  switch (request) {
    case 'sign':
      if (wish === 'rollover') return wish;
      return state === 'leaving' || state === 'unsigning' ? 'stay' : null;
    case 'leave':
      // While the first signing is in progress, no resolver has seen the zone signed.
      if (state === 'signing') return 'unsign';
      return state === 'signed' ? 'leave' : null;
    case 'unsign':
      return 'unsign';
  }
}
