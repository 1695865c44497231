import type { Command } from 'commander';
import type { Host } from '../command/host.js';
import { commandGroup } from '../command/operator-command.js';
import { dnssecForeignKeysCommand } from './dnssec-foreign-keys-command.js';
import { dnssecLeaveCommand } from './dnssec-leave-command.js';
import { dnssecListCommand } from './dnssec-list-command.js';
import { dnssecRolloverCommand } from './dnssec-rollover-command.js';
import { dnssecShowCommand } from './dnssec-show-command.js';
import { dnssecSignCommand } from './dnssec-sign-command.js';

export function dnssecCommands(host: Host): Command {
  return commandGroup(
    'dnssec',
    'the signed domains of all tenants; what is asked for here signer does within a second',
    [
      dnssecListCommand(host),
      dnssecShowCommand(host),
      dnssecSignCommand(host),
      dnssecRolloverCommand(host),
      dnssecForeignKeysCommand(host),
      dnssecLeaveCommand(host),
    ],
    'dnssec list',
  );
}
