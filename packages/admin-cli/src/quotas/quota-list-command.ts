import { listQuotas } from '@zonewright/zones';
import type { Command } from 'commander';
import type { Host } from '../command/host.js';
import { operatorCommand } from '../command/operator-command.js';
import { withSession } from '../command/session.js';
import { listTenants } from '@zonewright/accounts';
import { QUOTA_COLUMNS } from './quota-columns.js';
import { toTenantQuota } from './tenant-quota.js';

export function quotaListCommand(host: Host): Command {
  return operatorCommand(
    'list',
    'list the tenants that have quotas of their own',
    'quota list',
  ).action(
    withSession(host, async ({ db, output }) => {
      const tenants = await listTenants(db, undefined);
      const quotas = await listQuotas(
        db,
        tenants.map(({ id }) => id),
      );
      const rows = tenants.flatMap((tenant) => {
        const quota = quotas.get(tenant.id);
        return quota === undefined ? [] : [toTenantQuota(tenant, quota)];
      });
      output.list(rows, QUOTA_COLUMNS);
    }),
  );
}
