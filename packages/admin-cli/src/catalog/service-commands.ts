import type { Command } from 'commander';
import type { Host } from '../command/host.js';
import { commandGroup } from '../command/operator-command.js';
import { serviceActivationCommands } from './service-activation-commands.js';
import { serviceActivationsCommand } from './service-activations-command.js';
import { serviceCreateCommand } from './service-create-command.js';
import { serviceEnabledCommands } from './service-enabled-commands.js';
import { serviceListCommand } from './service-list-command.js';
import { serviceSetCommand } from './service-set-command.js';
import { serviceShowCommand } from './service-show-command.js';

export function serviceCommands(host: Host): Command {
  return commandGroup(
    'service',
    'services of the catalog, and the tenants that use them',
    [
      serviceCreateCommand(host),
      serviceListCommand(host),
      serviceShowCommand(host),
      serviceSetCommand(host),
      ...serviceEnabledCommands(host),
      ...serviceActivationCommands(host),
      serviceActivationsCommand(host),
    ],
    'service activate DNS acme-web',
  );
}
