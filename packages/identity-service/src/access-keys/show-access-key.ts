import { secretIdentity } from '@zonewright/database';
import type { Context } from '../context.js';
import { type AccessKey, stateOf } from './access-key.js';
import type { ShownAccessKey } from './render-access-key.js';

export type ShowContext = Pick<Context, 'clock' | 'settings'>;

/** A key without its secret. */
export function showAccessKey({ clock }: ShowContext, key: AccessKey): ShownAccessKey {
  return { key, state: stateOf(key, new Date(clock.now())), secretKey: undefined };
}

/** A key with its secret, for `export=true`; a deleted key has none any more. */
export function exportAccessKey(context: ShowContext, key: AccessKey): ShownAccessKey {
  const secretKey =
    key.secret &&
    context.settings.encryptionKeys.open(key.secret, secretIdentity.accessKey(key.id)).toString();
  return { ...showAccessKey(context, key), secretKey };
}
