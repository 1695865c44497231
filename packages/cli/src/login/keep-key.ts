import { ApiError, type Client, type Session } from '@zonewright/client';
import type { Host } from '../command/host.js';
import type { Access } from '../profile/access.js';
import type { Profile } from '../profile/profile-store.js';

/** For how long a log-in by password lasts. */
const KEY_DAYS = 90;
const DAY_MS = 86_400_000;

interface LogIn {
  readonly client: Client;
  readonly session: Session;
  readonly access: Access;
  /** Previous profile of this name. */
  readonly old: Profile | undefined;
}

/** Stores a login as an access key. A login by password creates a new key. */
export async function keepKey(
  host: Host,
  { client, session, access, old }: LogIn,
): Promise<Profile> {
  const { identityUrl, dnsUrl, auth } = access;
  const common = {
    identityUrl,
    dnsUrl,
    tenantId: session.tenant?.id,
    tenantName: session.tenant?.name,
    username: session.user.name,
  };
  if (!('password' in auth)) {
    const { accessKeyId, secretKey } = auth;
    return { ...common, accessKeyId, secretKey, isOwnKey: false, endsAt: undefined };
  }
  const endsAt = Date.now() + KEY_DAYS * DAY_MS;
  const key = await client.keys.create({
    validTo: new Date(endsAt).toISOString().slice(0, 19),
    // Nobody has two keys of one name.
    otherAttributes: { name: `zonewright on ${host.hostname}, ${new Date().toISOString()}` },
  });
  if (old?.isOwnKey === true && old.username === session.user.name) await forget(client, old);
  const { accessKeyId, secretKey = '' } = key;
  return { ...common, accessKeyId, secretKey, isOwnKey: true, endsAt };
}

/** Deletes the key. A missing key or a key of another installation is not an error. */
export async function forget(client: Client, { accessKeyId }: Profile): Promise<void> {
  try {
    await client.keys.delete(accessKeyId);
  } catch (error) {
    if (!(error instanceof ApiError) || ![401, 404].includes(error.status)) throw error;
  }
}
