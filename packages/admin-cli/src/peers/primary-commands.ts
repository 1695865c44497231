import type { Command } from 'commander';
import type { Host } from '../command/host.js';
import { commandGroup } from '../command/operator-command.js';
import { primaryListCommand } from './primary-list-command.js';
import { primaryRetryCommand } from './primary-retry-command.js';

export function primaryCommands(host: Host): Command {
  return commandGroup(
    'primary',
    'secondary domains, whose records come from servers of their tenants',
    [primaryListCommand(host), primaryRetryCommand(host)],
    'primary list --failing',
  );
}
