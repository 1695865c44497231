import type { Command } from 'commander';
import { getAccountDomain } from '../account-domains/account-domains.js';
import type { Host } from '../command/host.js';
import { operatorCommand } from '../command/operator-command.js';
import { withSession } from '../command/session.js';
import { USER_COLUMNS } from './user-columns.js';
import { listUsers } from './user-store.js';

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
