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
import { outputOf } from '../session/session.js';
import { type Profile, readProfiles, writeProfiles } from '../profile/profile-store.js';
import { dropProfile } from './drop-profile.js';

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
  { title: 'Where', member: 'identityUrl' },
  { title: 'Ends', member: 'ends' },
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
      const key = hasEnded ? ` Deleted access key ${accessKeyId}.` : '';
      outputOf(host, options).done(`Removed profile ${name}.${key}`, { profiles });
    });
}

/** @throws InputError */
function requireProfile(host: Host, name: string): Profile {
  const { profiles } = readProfiles(host);
  const profile = Object.hasOwn(profiles, name) ? profiles[name] : undefined;
  if (profile !== undefined) return profile;
  throw new InputError(`there is no profile ${name}. See ${PROGRAM} profile list`);
}
