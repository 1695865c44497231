import { type Keyring, type SealedSecret, secretIdentity } from '@zonewright/database';
import type { RestrictionContent } from './restriction.js';

/** Status as it is stored. "expired" is not stored but follows from validTo (D-ACC). */
export type StoredStatus = 'active' | 'inactive' | 'revoked' | 'deleted' | 'purged';

/** States of an access key (Identity s3). */
export const ACCESS_KEY_STATES = [
  'active',
  'inactive',
  'expired',
  'revoked',
  'deleted',
  'purged',
] as const;
export type AccessKeyState = (typeof ACCESS_KEY_STATES)[number];

export interface AccessKey {
  readonly id: string;
  readonly userId: string;
  readonly accountDomainId: string;
  readonly algorithm: string;
  /** Length in bits. Undefined for an imported key of unknown length. */
  readonly keyLength: number | undefined;
  /** Undefined if the key was deleted, which erases the secret. */
  readonly secret: SealedSecret | undefined;
  readonly status: StoredStatus;
  readonly validFrom: Date;
  readonly validTo: Date;
  /** `validTo` in UTC, with microseconds. Undefined for a key that was read for a log-in. */
  readonly validToText?: string | undefined;
  readonly createdAt: Date;
  /** Prefix of the names of the key's tokens. Undefined before the key is stored. */
  readonly tokenFamily?: string | undefined;
  /** Name that its owner chose, unique among the owner's usable keys. */
  readonly name?: string | undefined;
  readonly description?: string | undefined;
  /** Undefined if the key has all rights of its user. */
  readonly restriction?: RestrictionContent | undefined;
  /** Number by which tokens refer to its restriction. */
  readonly restrictionNumber?: number | undefined;
}

/** Key to be stored. Times may be text (RFC 3339), which keeps microseconds. */
export interface NewAccessKey extends Pick<
  AccessKey,
  'id' | 'userId' | 'accountDomainId' | 'algorithm'
> {
  readonly keyLength: number | null | undefined;
  readonly secret: SealedSecret;
  readonly status: 'active' | 'inactive';
  readonly validFrom: Date | string;
  readonly validTo: Date | string;
  /** The creation time; the default is now. */
  readonly createdAt?: Date | string | undefined;
  readonly name?: string | undefined;
  readonly description?: string | undefined;
  readonly restriction?: RestrictionContent | undefined;
}

/** Returns the state that callers see. */
export function accessKeyStateOf(key: AccessKey, now: Date): AccessKeyState {
  const canExpire = key.status === 'active' || key.status === 'inactive';
  return canExpire && key.validTo <= now ? 'expired' : key.status;
}

/** Whether the key can be used to authenticate now. */
export function isUsable(key: AccessKey, now: Date): boolean {
  return accessKeyStateOf(key, now) === 'active' && key.validFrom <= now;
}

type KeyWithRestriction = Pick<AccessKey, 'id' | 'restriction'>;

/** Encrypts a key's secret, bound to the key's id and to whether the key is restricted. */
export function sealAccessKeySecret(keyring: Keyring, key: KeyWithRestriction, secretKey: string) {
  return keyring.seal(Buffer.from(secretKey), identityOf(key));
}

/** Returns undefined if the key was deleted or revoked, which erases its secret. */
export function openAccessKeySecret(
  keyring: Keyring,
  key: KeyWithRestriction & Pick<AccessKey, 'secret'>,
): Buffer | undefined {
  return key.secret && keyring.open(key.secret, identityOf(key));
}

function identityOf({ id, restriction }: KeyWithRestriction): string {
  return restriction === undefined
    ? secretIdentity.accessKey(id)
    : secretIdentity.restrictedAccessKey(id);
}
