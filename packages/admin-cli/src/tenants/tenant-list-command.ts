import type { Command } from 'commander';
import { getAccountDomain, listTenants } from '@zonewright/accounts';
import type { Host } from '../command/host.js';
import { operatorCommand } from '../command/operator-command.js';
import { withSession } from '../command/session.js';
import { TENANT_COLUMNS } from './tenant-columns.js';

export function tenantListCommand(host: Host): Command {
  return operatorCommand('list', 'list tenants', 'tenant list --account-domain "Acme Ltd"')
    .option('--account-domain <id|name>', 'only those that belong to it')
    .action(
      withSession(host, async ({ db, output }, options: { accountDomain?: string }) => {
        const domain =
          options.accountDomain === undefined
            ? undefined
            : await getAccountDomain(db, options.accountDomain);
        output.list(await listTenants(db, domain?.id), TENANT_COLUMNS);
      }),
    );
}
