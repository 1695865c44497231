import type { Command } from 'commander';
import type { Host } from '../command/host.js';
import { commandGroup } from '../command/operator-command.js';
import { tenantCreateCommand } from './tenant-create-command.js';
import { tenantEnabledCommands } from './tenant-enabled-commands.js';
import { tenantListCommand } from './tenant-list-command.js';
import { tenantSetCommand } from './tenant-set-command.js';
import { tenantShowCommand } from './tenant-show-command.js';

export function tenantCommands(host: Host): Command {
  return commandGroup(
    'tenant',
    'tenants (projects), in which services are used',
    [
      tenantCreateCommand(host),
      tenantListCommand(host),
      tenantShowCommand(host),
      tenantSetCommand(host),
      ...tenantEnabledCommands(host),
    ],
    'tenant create acme-web --account-domain "Acme Ltd"',
  );
}
