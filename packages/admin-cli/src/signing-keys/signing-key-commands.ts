import type { Command } from 'commander';
import type { Host } from '../command/host.js';
import { commandGroup } from '../command/operator-command.js';
import { signingKeyListCommand } from './signing-key-list-command.js';
import { signingKeyRetireCommand } from './signing-key-retire-command.js';
import { signingKeyRotateCommand } from './signing-key-rotate-command.js';

export function signingKeyCommands(host: Host): Command {
  return commandGroup(
    'signing-key',
    'the keys that sign tokens',
    [signingKeyListCommand(host), signingKeyRotateCommand(host), signingKeyRetireCommand(host)],
    'signing-key rotate',
  );
}
