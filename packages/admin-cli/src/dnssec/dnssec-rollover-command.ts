import { rollOver } from '@zonewright/zones';
import type { Command } from 'commander';
import type { Host } from '../command/host.js';
import { operatorCommand } from '../command/operator-command.js';
import { dnssecAction } from './dnssec-action.js';

export function dnssecRolloverCommand(host: Host): Command {
  return operatorCommand(
    'rollover',
    'have the key of a domain replaced, say because others may know it',
    'dnssec rollover example.com.',
  )
    .argument('<domain>', 'name')
    .action(dnssecAction(host, () => rollOver));
}
