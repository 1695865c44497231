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
    'log-ins that are kept here: look at, choose, forget',
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
  { title: 'In use', member: 'isCurrent' },
  { title: 'User', member: 'username' },
  { title: 'Project', member: 'tenantName' },
  { title: 'Where', member: 'identityUrl' },
  { title: 'Ends', member: 'ends' },
];

/** What a profile is known by; its secrets stay in the file. */
function list(host: Host): Command {
  return withColumns(
    accountCommand('list', 'all log-ins that are kept here', 'profile list'),
  ).action((options: CommonOptions) => {
    const { current, profiles } = readProfiles(host);
    const rows = Object.entries(profiles).map(
      ([name, { username, tenantName, identityUrl, endsAt }]): Row => ({
        ...{ name, isCurrent: name === current, username, tenantName, identityUrl },
        ends: endsAt === undefined ? undefined : new Date(endsAt),
      }),
    );
    outputOf(host, options).list(rows, COLUMNS);
  });
}

function use(host: Host): Command {
  return accountCommand('use', 'which one commands use that name none', 'profile use work')
    .argument('<name>', 'as `profile list` shows it')
    .action((name: string, options: CommonOptions) => {
      requireProfile(host, name);
      writeProfiles(host, { ...readProfiles(host), current: name });
      outputOf(host, options).done(`Commands are now those of ${name}.`, { current: name });
    });
}

function remove(host: Host): Command {
  return accountCommand(
    'remove',
    'forget a log-in, and end the access key that it made',
    'profile remove work',
    'profile remove work --keep-key',
  )
    .argument('<name>', 'as `profile list` shows it')
    .option('--keep-key', 'leave its access key as it is, such as where the installation is gone')
    .action(async (name: string, options: CommonOptions & { readonly keepKey?: boolean }) => {
      const profile = requireProfile(host, name);
      const profiles = await dropProfile(host, profile, options);
      const { accessKeyId, isOwnKey } = profile;
      const hasEnded = isOwnKey && options.keepKey !== true;
      const key = hasEnded ? ` The access key ${accessKeyId} is deleted.` : '';
      outputOf(host, options).done(`Removed the profile ${name}.${key}`, { profiles });
    });
}

/** @throws InputError */
function requireProfile(host: Host, name: string): Profile {
  const { profiles } = readProfiles(host);
  const profile = Object.hasOwn(profiles, name) ? profiles[name] : undefined;
  if (profile !== undefined) return profile;
  throw new InputError(`there is no profile ${name}: ${PROGRAM} profile list`);
}
