import { ApiError, type Client, type Session } from '@zonewright/client';
import { type Column, InputError } from '@zonewright/terminal';
import type { Command } from 'commander';
import type { Host } from '../command/host.js';
import {
  accountCommand,
  commandGroup,
  type CommonOptions,
  PROGRAM,
  withColumns,
} from '../command/user-command.js';
import { createClient } from '../http/node-client.js';
import { fetchFor } from '../http/watched-fetch.js';
import type { Access } from '../profile/access.js';
import {
  forgetSecret,
  type Profile,
  readProfiles,
  readSecretKey,
  writeProfiles,
} from '../profile/profile-store.js';
import { outputOf } from '../session/session.js';

export function profileCommands(host: Host): Command {
  return commandGroup(
    'profile',
    'manage stored logins',
    [list(host), use(host), remove(host)],
    'profile use work',
  );
}

interface Row {
  readonly name: string;
  readonly isCurrent: boolean;
  readonly username: string;
  readonly tenantName: string | undefined;
  readonly identityUrl: string;
  readonly ends: Date | undefined;
}

const COLUMNS: readonly Column<Row>[] = [
  { title: 'Name', member: 'name' },
  { title: 'Active', member: 'isCurrent' },
  { title: 'User', member: 'username' },
  { title: 'Project', member: 'tenantName' },
  { title: 'URL', member: 'identityUrl' },
  { title: 'Expires', member: 'ends' },
];

/** Lists profiles without their secrets. */
function list(host: Host): Command {
  return withColumns(accountCommand('list', 'list stored logins', 'profile list')).action(
    (options: CommonOptions) => {
      const { current, profiles } = readProfiles(host);
      const rows = Object.entries(profiles).map(
        ([name, { username, tenantName, identityUrl, endsAt }]): Row => ({
          ...{ name, isCurrent: name === current, username, tenantName, identityUrl },
          ends: endsAt === undefined ? undefined : new Date(endsAt),
        }),
      );
      outputOf(host, options).list(rows, COLUMNS);
    },
  );
}

function use(host: Host): Command {
  return accountCommand('use', 'choose the default profile', 'profile use work')
    .argument('<name>', 'profile, as `profile list` shows it')
    .action((name: string, options: CommonOptions) => {
      requireProfile(host, name);
      writeProfiles(host, { ...readProfiles(host), current: name });
      outputOf(host, options).done(`${name} is now the default profile.`, { current: name });
    });
}

function remove(host: Host): Command {
  return accountCommand(
    'remove',
    'log out and delete the access key of the login',
    'profile remove work',
    'profile remove work --keep-key',
  )
    .argument('<name>', 'profile, as `profile list` shows it')
    .option('--keep-key', 'keep its access key, for example if the installation no longer exists')
    .action(async (name: string, options: CommonOptions & { readonly keepKey?: boolean }) => {
      const profile = requireProfile(host, name);
      const profiles = await dropProfile(host, profile, options);
      const { accessKeyId, isOwnKey } = profile;
      const hasEnded = isOwnKey && options.keepKey !== true;
      const key = hasEnded ? ` Access key ${accessKeyId} deleted.` : '';
      outputOf(host, options).done(`Profile ${name} removed.${key}`, { profiles });
    });
}

/** @throws InputError */
function requireProfile(host: Host, name: string): Profile {
  const { profiles } = readProfiles(host);
  const profile = Object.hasOwn(profiles, name) ? profiles[name] : undefined;
  if (profile !== undefined) return profile;
  throw new InputError(`there is no profile ${name}. See ${PROGRAM} profile list`);
}

/**
 * Removes a login under all of its names and deletes the access key that it created, unless the key is kept.
 *
 * @returns the names of the remaining profiles
 */
export async function dropProfile(
  host: Host,
  profile: Profile,
  options: CommonOptions & { readonly keepKey?: boolean },
): Promise<readonly string[]> {
  const { identityUrl, dnsUrl, accessKeyId } = profile;
  if (profile.isOwnKey && options.keepKey !== true) {
    const auth = { accessKeyId, secretKey: readSecretKey(host, profile) };
    const client = createClient({ identityUrl, dnsUrl, auth }, fetchFor(host, options));
    await forget(client, profile);
  }
  forgetSecret(host, profile);
  const { current, profiles } = readProfiles(host);
  const left = Object.fromEntries(
    Object.entries(profiles).filter(([, each]) => each.accessKeyId !== accessKeyId),
  );
  const names = Object.keys(left);
  const isCurrentLeft = current !== undefined && Object.hasOwn(left, current);
  writeProfiles(host, { current: isCurrentLeft ? current : names[0], profiles: left });
  return names;
}

/** Validity of the key that a login by password creates, in days. */
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
export async function saveLogin(
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
    // Names of a user's keys must be unique.
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
