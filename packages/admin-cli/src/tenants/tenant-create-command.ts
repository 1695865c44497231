import type { Command } from 'commander';
import type { Host } from '../command/host.js';
import { operatorCommand } from '../command/operator-command.js';
import { withSession } from '../command/session.js';
import { TENANT_COLUMNS } from './tenant-columns.js';
import { createTenant } from '@zonewright/accounts';

interface TenantCreateOptions {
  readonly id?: string;
  readonly accountDomain?: string;
  readonly displayName?: string;
  readonly description?: string;
}

export function tenantCreateCommand(host: Host): Command {
  return operatorCommand(
    'create',
    'make a tenant',
    'tenant create acme-web --account-domain "Acme Ltd"',
    'tenant create acme-web --id 10345678901234 --description "moved in from the old cloud"',
  )
    .argument('<name>', 'unique in the installation: tokens are scoped by tenantName alone')
    .option('--id <id>', 'the id that it had elsewhere; otherwise a new one')
    .option('--account-domain <id|name>', 'where the tenant belongs (default: Default)')
    .option('--display-name <text>', 'shown by clients beside the name')
    .option('--description <text>', 'what it is for')
    .action(
      withSession(host, async ({ db, output }, name: string, options: TenantCreateOptions) => {
        output.item(await createTenant(db, { ...options, name }), TENANT_COLUMNS);
      }),
    );
}
