import type { Command } from 'commander';
import type { Host } from '../command/host.js';
import { operatorCommand } from '../command/operator-command.js';
import { withSession } from '../command/session.js';
import { TENANT_COLUMNS } from './tenant-columns.js';
import { describeTenant } from '@zonewright/accounts';

interface TenantSetOptions {
  readonly name?: string;
  readonly displayName?: string;
  readonly description?: string;
}

export function tenantSetCommand(host: Host): Command {
  return operatorCommand(
    'set',
    'rename or describe a tenant; what is not given stays as it is',
    'tenant set acme-web --name acme-shop --description "the shop"',
  )
    .argument('<tenant>', 'id or name')
    .option('--name <name>', 'its new name')
    .option('--display-name <text>', 'shown by clients beside the name')
    .option('--description <text>', 'what it is for')
    .action(
      withSession(host, async ({ db, output }, reference: string, options: TenantSetOptions) => {
        output.item(await describeTenant(db, reference, options), TENANT_COLUMNS);
      }),
    );
}
