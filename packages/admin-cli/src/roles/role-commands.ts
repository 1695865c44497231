import type { Command } from 'commander';
import type { Host } from '../command/host.js';
import { commandGroup } from '../command/operator-command.js';
import { roleCreateCommand } from './role-create-command.js';
import { roleGrantCommands } from './role-grant-commands.js';
import { roleAssignmentsCommand } from './role-assignments-command.js';
import { roleListCommand } from './role-list-command.js';

export function roleCommands(host: Host): Command {
  return commandGroup(
    'role',
    'roles, and who holds them',
    [
      roleCreateCommand(host),
      roleListCommand(host),
      ...roleGrantCommands(host),
      roleAssignmentsCommand(host),
    ],
    'role grant dns-admin alice --tenant acme-web',
  );
}
