import { type Keyring, secretIdentity } from '@zonewright/database';
import type { AccessKey } from './access-key.js';

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
