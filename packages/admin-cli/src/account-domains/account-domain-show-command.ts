import type { Command } from 'commander';
import type { Host } from '../command/host.js';
import { operatorCommand } from '../command/operator-command.js';
import { withSession } from '../command/session.js';
import { ACCOUNT_DOMAIN_COLUMNS } from './account-domain-columns.js';
import { getAccountDomain } from '@zonewright/accounts';

export function accountDomainShowCommand(host: Host): Command {
  return operatorCommand('show', 'show an account domain', 'account-domain show "Acme Ltd"')
    .argument('<account-domain>', 'id or name')
    .action(
      withSession(host, async ({ db, output }, reference: string) => {
        output.item(await getAccountDomain(db, reference), ACCOUNT_DOMAIN_COLUMNS);
      }),
    );
}
