import type { Command } from 'commander';
import type { Host } from '../command/host.js';
import { commandGroup } from '../command/operator-command.js';
import { endpointCreateCommand } from './endpoint-create-command.js';
import { endpointEnabledCommands } from './endpoint-enabled-commands.js';
import { endpointListCommand } from './endpoint-list-command.js';
import { endpointSetCommand } from './endpoint-set-command.js';
import { endpointShowCommand } from './endpoint-show-command.js';

export function endpointCommands(host: Host): Command {
  return commandGroup(
    'endpoint',
    'where the services of the catalog stand',
    [
      endpointCreateCommand(host),
      endpointListCommand(host),
      endpointShowCommand(host),
      endpointSetCommand(host),
      ...endpointEnabledCommands(host),
    ],
    'endpoint list --service DNS',
  );
}
