import { CSK_FLAGS, type SigningAlgorithm } from '@zonewright/dns-records/dnssec';

/** Progress of a zone towards being signed, or unsigned again. A zone without a state is unsigned. */
export type SigningState = 'signing' | 'signed' | 'leaving' | 'unsigning';

/** Whether the zone is served with signatures. */
export function isServedSigned(
  state: SigningState | null,
): state is Exclude<SigningState, 'signing'> {
  return state !== null && state !== 'signing';
}

/** Request that the signer has not completed yet. */
export type RequestedSigning = 'rollover' | 'unsign' | 'leave' | 'stay';

/** Returns the state that a zone will have when the signer has completed the last request. */
export function stateToBe({
  state,
  wish,
}: {
  readonly state: SigningState;
  readonly wish: RequestedSigning | null;
}): SigningState {
  if (wish === 'unsign') return 'unsigning';
  if (wish === 'leave' && state === 'signed') return 'leaving';
  // In these cases a key is replaced, and the zone stays signed.
  const stays = wish === 'stay' || wish === 'rollover';
  return stays && isServedSigned(state) ? 'signed' : state;
}

/**
 * States of keys. The column dns.zone_keys.state describes the others.
 *
 * - unlisted: the key signs the zone but is not in DNSKEY, if no active key has its algorithm. This is before the key is
 *   published, or after it was listed.
 * - foreign: the key belongs to another provider that also signs the zone.
 */
export type KeyState = 'unlisted' | 'published' | 'active' | 'retiring' | 'removed' | 'foreign';

/** Key of a zone without its secret. */
export interface ZoneKey {
  readonly id: string;
  readonly algorithm: SigningAlgorithm;
  readonly flags: number;
  readonly keyTag: number;
  /** Public key in the form of DNSKEY. */
  readonly publicKey: Buffer;
  readonly state: KeyState;
  readonly publishedAt: Date;
  readonly activeAt: Date | null;
  readonly dsSeenAt: Date | null;
  readonly retireAt: Date | null;
  /** Time at which it was removed from DNSKEY. */
  readonly removedAt: Date | null;
  /** Time until which its DS is held back. Null if it is announced. */
  readonly dsFrom: Date | null;
}

/** Returns the keys of this service. */
export function ownKeys(keys: readonly ZoneKey[]): ZoneKey[] {
  return keys.filter(({ state }) => state !== 'foreign');
}

/** Returns the keys of another provider, which are all in DNSKEY. */
export function externalKeys(keys: readonly ZoneKey[]): ZoneKey[] {
  return keys.filter(({ state }) => state === 'foreign');
}

type AnnouncedKey = Pick<ZoneKey, 'state' | 'flags' | 'dsFrom' | 'retireAt'>;

/**
 * Returns the keys that should have DS at the parent: those that sign, and another provider's keys with DS that are not
 * to be removed.
 */
export function announcedKeys<K extends AnnouncedKey>(keys: readonly K[]): K[] {
  const own = keys.filter(({ state, dsFrom }) => state === 'active' && dsFrom === null);
  return own.length === 0 ? [] : [...own, ...keys.filter(isAnnouncedExternal)];
}

/** Whether the parent should have a DS for a key of another provider. */
export function isAnnouncedExternal({ state, flags, retireAt }: AnnouncedKey): boolean {
  return state === 'foreign' && flags === CSK_FLAGS && retireAt === null;
}

/** Returns a text that changes if the keys of a zone or their states change. */
export function keyVersion(keys: readonly Pick<ZoneKey, 'id' | 'state' | 'dsFrom'>[]): string {
  return keys
    .map(({ id, state, dsFrom }) => `${id} ${state}${dsFrom === null ? '' : ' held'}`)
    .join();
}
