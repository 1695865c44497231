import type { Command } from 'commander';
import type { Host } from '../command/host.js';
import { operatorCommand } from '../command/operator-command.js';
import { withSession } from '../command/session.js';
import { SERVICE_COLUMNS } from './catalog-columns.js';
import { getService } from '@zonewright/accounts';

export function serviceShowCommand(host: Host): Command {
  return operatorCommand('show', 'show a service of the catalog', 'service show DNS')
    .argument('<service>', 'id or name')
    .action(
      withSession(host, async ({ db, output }, reference: string) => {
        output.item(await getService(db, reference), SERVICE_COLUMNS);
      }),
    );
}
