import { type Keyring, secretIdentity } from '@zonewright/database';
import type { AccessKey } from './access-key.js';

/** A key's secret as it is stored; the id is sealed with it. */
export function sealAccessKeySecret(keyring: Keyring, id: string, secretKey: string) {
  return keyring.seal(Buffer.from(secretKey), secretIdentity.accessKey(id));
}

/** Undefined: the key was deleted or revoked, and its secret erased. */
export function openAccessKeySecret(
  keyring: Keyring,
  { id, secret }: Pick<AccessKey, 'id' | 'secret'>,
): Buffer | undefined {
  return secret && keyring.open(secret, secretIdentity.accessKey(id));
}
