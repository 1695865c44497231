import type { Command } from 'commander';
import type { Host } from '../command/host.js';
import { commandGroup } from '../command/operator-command.js';
import { nameserverAcceptDatabaseCommand } from './nameserver-accept-database-command.js';
import { nameserverAddCommand } from './nameserver-add-command.js';
import { nameserverDomainCommands } from './nameserver-domain-commands.js';
import { nameserverListCommand } from './nameserver-list-command.js';
import { nameserverRemoveCommand } from './nameserver-remove-command.js';
import { nameserverSetCommand } from './nameserver-set-command.js';
import { nameserverSoaCommands } from './nameserver-soa-commands.js';

export function nameserverCommands(host: Host): Command {
  return commandGroup(
    'nameserver',
    'the nameservers that every zone shows',
    [
      nameserverListCommand(host),
      nameserverAddCommand(host),
      nameserverSetCommand(host),
      nameserverRemoveCommand(host),
      ...nameserverDomainCommands(host),
      ...nameserverSoaCommands(host),
      nameserverAcceptDatabaseCommand(host),
    ],
    'nameserver set ns1-1 --ipv4 192.0.2.1',
  );
}
