import type { Command } from 'commander';
import type { Host } from '../command/host.js';
import { operatorCommand } from '../command/operator-command.js';
import { withSession } from '../command/session.js';
import { TENANT_COLUMNS } from './tenant-columns.js';
import { getTenant } from '@zonewright/accounts';

export function tenantShowCommand(host: Host): Command {
  return operatorCommand('show', 'show a tenant', 'tenant show acme-web')
    .argument('<tenant>', 'id or name')
    .action(
      withSession(host, async ({ db, output }, reference: string) => {
        output.item(await getTenant(db, reference), TENANT_COLUMNS);
      }),
    );
}
