import type { Command } from 'commander';
import type { Host } from '../command/host.js';
import { operatorCommand } from '../command/operator-command.js';
import { withSession } from '../command/session.js';
import { QUOTA_COLUMNS } from './quota-columns.js';
import { getQuota } from './quotas.js';

export function quotaShowCommand(host: Host): Command {
  return operatorCommand('show', 'show what a tenant may have', 'quota show acme-web')
    .argument('<tenant>', 'id or name')
    .action(
      withSession(host, async ({ db, output }, tenant: string) => {
        output.item(await getQuota(db, tenant), QUOTA_COLUMNS);
      }),
    );
}
