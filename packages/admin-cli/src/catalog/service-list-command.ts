import type { Command } from 'commander';
import type { Host } from '../command/host.js';
import { operatorCommand } from '../command/operator-command.js';
import { withSession } from '../command/session.js';
import { SERVICE_COLUMNS } from './catalog-columns.js';
import { listServices } from '@zonewright/accounts';

export function serviceListCommand(host: Host): Command {
  return operatorCommand('list', 'list the services of the catalog', 'service list').action(
    withSession(host, async ({ db, output }) => {
      output.list(await listServices(db), SERVICE_COLUMNS);
    }),
  );
}
