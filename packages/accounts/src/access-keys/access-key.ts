import { type Keyring, type SealedSecret, secretIdentity } from '@zonewright/database';
import type { RestrictionContent } from './restriction.js';

/** As stored; "expired" is not stored but follows from validTo (decisions 2). */
export type StoredStatus = 'active' | 'inactive' | 'revoked' | 'deleted' | 'purged';

/** Identity s3. */
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
  /** In bits; undefined for an imported key whose length was not given. */
  readonly keyLength: number | undefined;
  /** Erased when the key is deleted. */
  readonly secret: SealedSecret | undefined;
  readonly status: StoredStatus;
  readonly validFrom: Date;
  readonly validTo: Date;
  readonly createdAt: Date;
  /** What the tokens that it gets are named by; undefined before migration 0008, and for a key that is not stored yet. */
  readonly tokenFamily?: string | undefined;
  /** What its owner calls it; no two that can be used have the same name. */
  readonly name?: string | undefined;
  readonly description?: string | undefined;
  /** Undefined: it may do what its user may. */
  readonly restriction?: RestrictionContent | undefined;
  /** What tokens name its restrictions by. */
  readonly restrictionNumber?: number | undefined;
}

/** A key that is to be stored. Times may be texts (RFC 3339), which keep microseconds. */
export interface NewAccessKey extends Pick<
  AccessKey,
  'id' | 'userId' | 'accountDomainId' | 'algorithm'
> {
  readonly keyLength: number | null | undefined;
  readonly secret: SealedSecret;
  readonly status: 'active' | 'inactive';
  readonly validFrom: Date | string;
  readonly validTo: Date | string;
  /** Undefined: now. */
  readonly createdAt?: Date | string | undefined;
  readonly name?: string | undefined;
  readonly description?: string | undefined;
  readonly restriction?: RestrictionContent | undefined;
}

/** The state that callers see. */
export function accessKeyStateOf(key: AccessKey, now: Date): AccessKeyState {
  const canExpire = key.status === 'active' || key.status === 'inactive';
  return canExpire && key.validTo <= now ? 'expired' : key.status;
}

/** Whether a key authenticates at this moment. */
export function isUsable(key: AccessKey, now: Date): boolean {
  return accessKeyStateOf(key, now) === 'active' && key.validFrom <= now;
}

type KeyWithRestriction = Pick<AccessKey, 'id' | 'restriction'>;

/** A key's secret as it is stored; the id is sealed with it, and whether the key has restrictions. */
export function sealAccessKeySecret(keyring: Keyring, key: KeyWithRestriction, secretKey: string) {
  return keyring.seal(Buffer.from(secretKey), identityOf(key));
}

/** Undefined: the key was deleted or revoked, and its secret erased. */
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
