import type { Command } from 'commander';
import { getAccountDomain, listUsers } from '@zonewright/accounts';
import type { Host } from '../command/host.js';
import { operatorCommand } from '../command/operator-command.js';
import { withSession } from '../command/session.js';
import { USER_COLUMNS } from './user-columns.js';

export function userListCommand(host: Host): Command {
  return operatorCommand('list', 'list users', 'user list --account-domain "Acme Ltd"')
    .option('--account-domain <id|name>', 'only those that belong to it')
    .action(
      withSession(host, async ({ db, output }, options: { accountDomain?: string }) => {
        const domain =
          options.accountDomain === undefined
            ? undefined
            : await getAccountDomain(db, options.accountDomain);
        output.list(await listUsers(db, domain?.id), USER_COLUMNS);
      }),
    );
}
