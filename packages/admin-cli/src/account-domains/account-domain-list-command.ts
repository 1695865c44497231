import type { Command } from 'commander';
import type { Host } from '../command/host.js';
import { operatorCommand } from '../command/operator-command.js';
import { withSession } from '../command/session.js';
import { ACCOUNT_DOMAIN_COLUMNS } from './account-domain-columns.js';
import { listAccountDomains } from '@zonewright/accounts';

export function accountDomainListCommand(host: Host): Command {
  return operatorCommand('list', 'list the account domains', 'account-domain list').action(
    withSession(host, async ({ db, output }) => {
      output.list(await listAccountDomains(db), ACCOUNT_DOMAIN_COLUMNS);
    }),
  );
}
