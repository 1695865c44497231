import type { Command } from 'commander';
import type { Host } from '../command/host.js';
import { operatorCommand } from '../command/operator-command.js';
import { withSession } from '../command/session.js';
import { TENANT_COLUMNS } from './tenant-columns.js';
import { setTenantEnabled } from '@zonewright/accounts';

/** `enable` and `disable`. */
export function tenantEnabledCommands(host: Host): Command[] {
  return [
    enabledCommand(host, 'enable', true, 'let users work in a tenant again'),
    enabledCommand(host, 'disable', false, 'give nobody a token for a tenant any more'),
  ];
}

function enabledCommand(host: Host, name: string, enabled: boolean, summary: string): Command {
  return operatorCommand(name, summary, `tenant ${name} acme-web`)
    .argument('<tenant>', 'id or name')
    .action(
      withSession(host, async ({ db, output }, reference: string) => {
        output.item(await setTenantEnabled(db, reference, enabled), TENANT_COLUMNS);
      }),
    );
}
