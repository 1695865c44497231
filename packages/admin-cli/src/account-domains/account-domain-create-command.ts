import type { Command } from 'commander';
import type { Host } from '../command/host.js';
import { operatorCommand } from '../command/operator-command.js';
import { withSession } from '../command/session.js';
import { ACCOUNT_DOMAIN_COLUMNS } from './account-domain-columns.js';
import { createAccountDomain } from '@zonewright/accounts';

export function accountDomainCreateCommand(host: Host): Command {
  return operatorCommand(
    'create',
    'make an account domain, to which users and tenants can belong',
    'account-domain create "Acme Ltd"',
    'account-domain create "Acme Ltd" --id 98765432109876',
  )
    .argument('<name>', 'its name, unique in the installation')
    .option('--id <id>', 'the id that it had elsewhere; otherwise a new one')
    .action(
      withSession(host, async ({ db, output }, name: string, options: { id?: string }) => {
        output.item(
          await createAccountDomain(db, { name, id: options.id }),
          ACCOUNT_DOMAIN_COLUMNS,
        );
      }),
    );
}
