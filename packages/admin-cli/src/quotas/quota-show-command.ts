import { getQuota } from '@zonewright/zones';
import type { Command } from 'commander';
import type { Host } from '../command/host.js';
import { operatorCommand } from '../command/operator-command.js';
import { withSession } from '../command/session.js';
import { getTenant } from '@zonewright/accounts';
import { QUOTA_COLUMNS } from './quota-columns.js';
import { toTenantQuota } from './tenant-quota.js';

export function quotaShowCommand(host: Host): Command {
  return operatorCommand('show', 'show what a tenant may have', 'quota show acme-web')
    .argument('<tenant>', 'id or name')
    .action(
      withSession(host, async ({ db, output }, reference: string) => {
        const tenant = await getTenant(db, reference);
        output.item(toTenantQuota(tenant, await getQuota(db, tenant.id)), QUOTA_COLUMNS);
      }),
    );
}
