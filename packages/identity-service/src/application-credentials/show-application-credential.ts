import type { AccessKey, Account } from '@zonewright/accounts';
import type { ApiRequest } from '../http/route.js';
import type { ShownCredential } from '../representation/render-application-credential.js';

/** A key without its secret, under its own URL. */
export function showCredential(
  { baseUrl }: Pick<ApiRequest, 'baseUrl'>,
  owner: Account,
  key: AccessKey,
): ShownCredential {
  const selfUrl = `${baseUrl}/v3/users/${owner.id}/application_credentials/${key.id}`;
  return { key, owner, secretKey: undefined, selfUrl };
}
