import type { Command } from 'commander';
import type { Host } from '../command/host.js';
import { commandGroup } from '../command/operator-command.js';
import { quotaClearCommand } from './quota-clear-command.js';
import { quotaListCommand } from './quota-list-command.js';
import { quotaSetCommand } from './quota-set-command.js';
import { quotaShowCommand } from './quota-show-command.js';

export function quotaCommands(host: Host): Command {
  return commandGroup(
    'quota',
    'how many domains and records a tenant may have, how much it may write, and how its MX records are checked',
    [
      quotaSetCommand(host),
      quotaShowCommand(host),
      quotaListCommand(host),
      quotaClearCommand(host),
    ],
    'quota set acme-web --max-domains 100',
  );
}
