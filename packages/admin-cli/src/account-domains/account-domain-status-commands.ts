import type { Command } from 'commander';
import type { Host } from '../command/host.js';
import { operatorCommand } from '../command/operator-command.js';
import { withSession } from '../command/session.js';
import { ACCOUNT_DOMAIN_COLUMNS } from './account-domain-columns.js';
import { type AccountStatus, setAccountDomainStatus } from '@zonewright/accounts';
import { parseCount } from '@zonewright/terminal';

/** `enable`, `disable` and `suspend`. */
export function accountDomainStatusCommands(host: Host): Command[] {
  return [
    statusCommand(host, {
      name: 'enable',
      status: 'enabled',
      summary: 'let the users of an account domain work again',
      example: 'account-domain enable "Acme Ltd"',
    }),
    statusCommand(host, {
      name: 'disable',
      status: 'disabled',
      summary: 'shut out all users of an account domain',
      example: 'account-domain disable "Acme Ltd"',
    }),
    statusCommand(host, {
      name: 'suspend',
      status: 'suspended',
      summary:
        'shut out all users of an account domain for the time being, with a code that clients see',
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
    .argument('<account-domain>', 'id or name')
    .action(
      withSession(host, async ({ db, output }, reference: string, options: { code?: number }) => {
        const change = { status, statusCode: options.code };
        output.item(await setAccountDomainStatus(db, reference, change), ACCOUNT_DOMAIN_COLUMNS);
      }),
    );
}
