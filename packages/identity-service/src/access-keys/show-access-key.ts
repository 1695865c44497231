import type { Context } from '../context/context.js';
import { type AccessKey, accessKeyStateOf, openAccessKeySecret } from '@zonewright/accounts';
import type { ShownAccessKey } from '../representation/render-access-key.js';

export type ShowContext = Pick<Context, 'clock' | 'settings'>;

/** A key without its secret. */
export function showAccessKey({ clock }: ShowContext, key: AccessKey): ShownAccessKey {
  return { key, state: accessKeyStateOf(key, new Date(clock.now())), secretKey: undefined };
}

/** A key with its secret, for `export=true`; a deleted key has none any more. */
export function exportAccessKey(context: ShowContext, key: AccessKey): ShownAccessKey {
  const secretKey = openAccessKeySecret(context.settings.encryptionKeys, key)?.toString();
  return { ...showAccessKey(context, key), secretKey };
}
