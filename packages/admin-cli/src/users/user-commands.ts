import type { Command } from 'commander';
import type { Host } from '../command/host.js';
import { commandGroup } from '../command/operator-command.js';
import { userCreateCommand } from './user-create-command.js';
import { userListCommand } from './user-list-command.js';
import { userRevokeAllCommand } from './user-revoke-all-command.js';
import { userSetPasswordCommand } from './user-set-password-command.js';
import { userShowCommand } from './user-show-command.js';
import { userStatusCommands } from './user-status-commands.js';

export function userCommands(host: Host): Command {
  return commandGroup(
    'user',
    'users and their passwords',
    [
      userCreateCommand(host),
      userListCommand(host),
      userShowCommand(host),
      ...userStatusCommands(host),
      userSetPasswordCommand(host),
      userRevokeAllCommand(host),
    ],
    'user create alice --account-domain "Acme Ltd"',
  );
}
