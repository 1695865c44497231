import { insertAccessKey } from '@zonewright/testkit';
import { type Call, tokenOf } from './client.js';
import { type IdentityHandle, keyring } from './use-identity.js';

type Method = NonNullable<Call['method']>;

interface Caller {
  readonly identity: IdentityHandle;
  readonly token: string;
  /** The value for `{alias}` in a path. */
  readonly alias: string;
}

/** Returns a valid request of an operation, with a separate token and access key. */
export async function soundCall(
  { identity, token, alias }: Caller,
  method: Method,
  path: string,
): Promise<Call> {
  const { db, url, world } = identity;
  const { name, password, id } = world.user;
  const { accountDomainId } = world;
  const subject = await tokenOf(url, world.user, world.tenant.id);
  const owner = { userId: id, accountDomainId };
  const restrictedTo = path.includes('{credentialId}') ? world.tenant.id : undefined;
  const { accessKey } = await insertAccessKey(db, keyring, { ...owner, restrictedTo });
  const auth = { passwordCredentials: { username: name, password } };
  const v3Auth = { identity: { methods: ['password'], password: { user: { name, password } } } };
  const bodies: Readonly<Record<string, object>> = {
    'POST /v2.0/tokens': { auth },
    'POST /v3/auth/tokens': { auth: v3Auth },
    'POST accesskeys': { accessKey: {} },
    'PUT accesskeys': { accessKeys: { accessKey: [{ secretKey: 's', algorithm: 'x' }] } },
    'POST application_credentials': { application_credential: { name: accessKey } },
    'PUT {accesskeyId}': { accessKey: { status: 'active' } },
  };
  const last = path.split('/').at(-1) ?? '';
  return {
    method,
    path: path
      .replace('{tokenId}', subject)
      .replace('{userId}', id)
      .replace('{alias}', alias)
      .replace('{accesskeyId}', accessKey)
      .replace('{credentialId}', accessKey),
    // The credential was created for the project of the token.
    token: last === 'application_credentials' ? subject : token,
    body: bodies[`${method} ${path}`] ?? bodies[`${method} ${last}`],
    headers: { 'X-Subject-Token': subject, 'X-Auth-User': name, 'X-Auth-Key': password },
  };
}
