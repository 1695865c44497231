import { type Column, InputError } from '@zonewright/terminal';
import type { Command } from 'commander';
import type { Host } from '../command/host.js';
import { type CommonOptions, commandGroup, PROGRAM, userCommand } from '../command/user-command.js';
import { outputOf } from '../session/session.js';
import { readProfiles, writeProfiles } from '../profile/profile-store.js';

export function profileCommands(host: Host): Command {
  return commandGroup(
    'profile',
    'log-ins that are kept here: look at, choose',
    [list(host), use(host)],
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
  return userCommand('list', 'all log-ins that are kept here', 'profile list').action(
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
  return userCommand('use', 'which one commands use that name none', 'profile use work')
    .argument('<name>', 'as `profile list` shows it')
    .action((name: string, options: CommonOptions) => {
      const { profiles } = readProfiles(host);
      if (!Object.hasOwn(profiles, name)) {
        throw new InputError(`there is no profile ${name}: ${PROGRAM} profile list`);
      }
      writeProfiles(host, { current: name, profiles });
      outputOf(host, options).done(`Commands are now those of ${name}.`, { current: name });
    });
}
