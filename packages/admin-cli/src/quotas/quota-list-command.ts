import type { Command } from 'commander';
import type { Host } from '../command/host.js';
import { operatorCommand } from '../command/operator-command.js';
import { withSession } from '../command/session.js';
import { QUOTA_COLUMNS } from './quota-columns.js';
import { listQuotas } from './quota-store.js';

export function quotaListCommand(host: Host): Command {
  return operatorCommand(
    'list',
    'list the tenants that have quotas of their own',
    'quota list',
  ).action(
    withSession(host, async ({ db, output }) => {
      output.list(await listQuotas(db), QUOTA_COLUMNS);
    }),
  );
}
