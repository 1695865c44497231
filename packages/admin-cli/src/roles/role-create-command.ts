import type { Command } from 'commander';
import type { Host } from '../command/host.js';
import { operatorCommand } from '../command/operator-command.js';
import { withSession } from '../command/session.js';
import { ROLE_COLUMNS } from './role-columns.js';
import { createRole } from '@zonewright/accounts';

export function roleCreateCommand(host: Host): Command {
  return operatorCommand('create', 'make a role', 'role create dns-reader --service DNS')
    .argument('<name>', 'unique in the installation')
    .option('--id <id>', 'the id that it had elsewhere; otherwise a new one')
    .option('--service <id|name>', 'the service that it belongs to, shown to clients as serviceId')
    .action(
      withSession(
        host,
        async ({ db, output }, name: string, options: { id?: string; service?: string }) => {
          output.item(await createRole(db, { ...options, name }), ROLE_COLUMNS);
        },
      ),
    );
}
