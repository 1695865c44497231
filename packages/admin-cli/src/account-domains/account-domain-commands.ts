import type { Command } from 'commander';
import type { Host } from '../command/host.js';
import { commandGroup } from '../command/operator-command.js';
import { accountDomainCreateCommand } from './account-domain-create-command.js';
import { accountDomainListCommand } from './account-domain-list-command.js';
import { accountDomainShowCommand } from './account-domain-show-command.js';
import { accountDomainStatusCommands } from './account-domain-status-commands.js';

export function accountDomainCommands(host: Host): Command {
  return commandGroup(
    'account-domain',
    'the accounts to which users and tenants belong',
    [
      accountDomainCreateCommand(host),
      accountDomainListCommand(host),
      accountDomainShowCommand(host),
      ...accountDomainStatusCommands(host),
    ],
    'account-domain list',
  );
}
