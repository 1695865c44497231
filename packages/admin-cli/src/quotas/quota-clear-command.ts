import { clearQuota } from '@zonewright/zones';
import type { Command } from 'commander';
import type { Host } from '../command/host.js';
import { operatorCommand } from '../command/operator-command.js';
import { withSession } from '../command/session.js';
import { getTenant } from '@zonewright/accounts';
import { QUOTA_COLUMNS } from './quota-columns.js';
import { toTenantQuota } from './tenant-quota.js';

export function quotaClearCommand(host: Host): Command {
  return operatorCommand('clear', 'give a tenant the defaults again', 'quota clear acme-web')
    .argument('<tenant>', 'id or name')
    .action(
      withSession(host, async ({ db, output }, reference: string) => {
        const tenant = await getTenant(db, reference);
        output.item(toTenantQuota(tenant, await clearQuota(db, tenant.id)), QUOTA_COLUMNS);
      }),
    );
}
