import type { Command } from 'commander';
import type { Host } from '../command/host.js';
import { operatorCommand } from '../command/operator-command.js';
import { withSession } from '../command/session.js';
import { QUOTA_COLUMNS } from './quota-columns.js';
import { clearQuota } from './quotas.js';

export function quotaClearCommand(host: Host): Command {
  return operatorCommand('clear', 'give a tenant the defaults again', 'quota clear acme-web')
    .argument('<tenant>', 'id or name')
    .action(
      withSession(host, async ({ db, output }, tenant: string) => {
        output.item(await clearQuota(db, tenant), QUOTA_COLUMNS);
      }),
    );
}
