import {
  type AccountDomain,
  type AccountStatus,
  createAccountDomain,
  getAccountDomain,
  listAccountDomains,
  setAccountDomainStatus,
} from '@zonewright/accounts';
import { type Column, parseCount } from '@zonewright/terminal';
import type { Command } from 'commander';
import type { Host } from '../command/host.js';
import { commandGroup, operatorCommand } from '../command/operator-command.js';
import { withSession } from '../command/session.js';

export function accountDomainCommands(host: Host): Command {
  return commandGroup(
    'account-domain',
    'manage account domains, to which users and tenants belong',
    [
      accountDomainCreateCommand(host),
      accountDomainListCommand(host),
      accountDomainShowCommand(host),
      ...accountDomainStatusCommands(host),
    ],
    'account-domain list',
  );
}

const ACCOUNT_DOMAIN_COLUMNS: readonly Column<AccountDomain>[] = [
  { title: 'ID', member: 'id' },
  { title: 'Name', member: 'name' },
  { title: 'Status', member: 'status' },
  { title: 'Code', member: 'statusCode' },
  { title: 'Created', member: 'createdAt' },
  { title: 'Updated', member: 'updatedAt', isDetail: true },
];

function accountDomainCreateCommand(host: Host): Command {
  return operatorCommand(
    'create',
    'create an account domain',
    'account-domain create "Acme Ltd"',
    'account-domain create "Acme Ltd" --id 98765432109876',
  )
    .argument('<name>', 'name of the account domain, unique in the installation')
    .option('--id <id>', 'ID from a previous installation (default: generated)')
    .action(
      withSession(host, async ({ db, output }, name: string, options: { id?: string }) => {
        output.item(
          await createAccountDomain(db, { name, id: options.id }),
          ACCOUNT_DOMAIN_COLUMNS,
        );
      }),
    );
}

function accountDomainListCommand(host: Host): Command {
  return operatorCommand('list', 'list the account domains', 'account-domain list').action(
    withSession(host, async ({ db, output }) => {
      output.list(await listAccountDomains(db), ACCOUNT_DOMAIN_COLUMNS);
    }),
  );
}

function accountDomainShowCommand(host: Host): Command {
  return operatorCommand('show', 'show an account domain', 'account-domain show "Acme Ltd"')
    .argument('<account-domain>', 'ID or name')
    .action(
      withSession(host, async ({ db, output }, reference: string) => {
        output.item(await getAccountDomain(db, reference), ACCOUNT_DOMAIN_COLUMNS);
      }),
    );
}

/** Implements `enable`, `disable` and `suspend`. */
function accountDomainStatusCommands(host: Host): Command[] {
  return [
    statusCommand(host, {
      name: 'enable',
      status: 'enabled',
      summary: 'enable an account domain',
      example: 'account-domain enable "Acme Ltd"',
    }),
    statusCommand(host, {
      name: 'disable',
      status: 'disabled',
      summary: 'disable an account domain with all of its users',
      example: 'account-domain disable "Acme Ltd"',
    }),
    statusCommand(host, {
      name: 'suspend',
      status: 'suspended',
      summary: 'suspend all users of an account domain, with a code for clients',
      example: 'account-domain suspend "Acme Ltd" --code 2',
    }).option(
      '--code <n>',
      'the number in "suspended:<n>" of its users\' domainStatus',
      parseCount,
    ),
  ];
}

interface StatusCommand {
  readonly name: string;
  readonly status: AccountStatus;
  readonly summary: string;
  readonly example: string;
}

function statusCommand(host: Host, { name, status, summary, example }: StatusCommand): Command {
  return operatorCommand(name, summary, example)
    .argument('<account-domain>', 'ID or name')
    .action(
      withSession(host, async ({ db, output }, reference: string, options: { code?: number }) => {
        const change = { status, statusCode: options.code };
        output.item(await setAccountDomainStatus(db, reference, change), ACCOUNT_DOMAIN_COLUMNS);
      }),
    );
}
