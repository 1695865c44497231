import { type Database, hashPassword } from '@zonewright/database';
import { type AccessJson, call } from './client.js';

/** Does the same as `zonewright-admin user set-password`. */
export async function setPassword(db: Database, userId: string, password: string): Promise<void> {
  await storePassword(db, userId, await hashPassword(password));
}

export async function storePassword(db: Database, userId: string, hash: string): Promise<void> {
  await db.raw(
    'update identity.users set password_hash = ?, tokens_valid_after = now() where id = ?',
    [hash, userId],
  );
}

/** Gets a version 3 token with another token; undefined if that is refused. */
export async function derive(
  url: string,
  from: string,
  projectId?: string,
): Promise<string | undefined> {
  const answer = await call(url, {
    method: 'POST',
    path: '/v3/auth/tokens',
    body: {
      auth: {
        identity: { methods: ['token'], token: { id: from } },
        ...(projectId === undefined ? {} : { scope: { project: { id: projectId } } }),
      },
    },
  });
  return answer.status === 201 ? answer.headers['x-subject-token'] : undefined;
}

/** Gets a token with an access key. */
export async function tokenByKey(
  url: string,
  key: { readonly accessKey: string; readonly secretKey: string },
): Promise<string> {
  const { accessKey, secretKey } = key;
  const answer = await call(url, {
    method: 'POST',
    path: '/v2.0/tokens',
    body: { auth: { apiAccessKeyCredentials: { accessKey, secretKey } } },
  });
  return (answer.json as AccessJson).access.token.id;
}

export async function revoke(url: string, token: string): Promise<number> {
  return (await call(url, { method: 'DELETE', path: `/v2.0/tokens/${token}`, token })).status;
}

/** Returns 200 for a valid token, which validates itself. */
export async function statusOf(url: string, token: string): Promise<number> {
  return (await call(url, { path: `/v2.0/tokens/${token}`, token })).status;
}
