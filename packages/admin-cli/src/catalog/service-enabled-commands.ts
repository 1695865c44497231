import type { Command } from 'commander';
import type { Host } from '../command/host.js';
import { operatorCommand } from '../command/operator-command.js';
import { withSession } from '../command/session.js';
import { SERVICE_COLUMNS } from './catalog-columns.js';
import { changeService } from '@zonewright/accounts';

/** `enable` and `disable`. */
export function serviceEnabledCommands(host: Host): Command[] {
  return [
    enabledCommand(host, 'enable', true, 'show a service in catalogs again'),
    enabledCommand(host, 'disable', false, 'leave a service out of every catalog'),
  ];
}

function enabledCommand(host: Host, name: string, enabled: boolean, summary: string): Command {
  return operatorCommand(name, summary, `service ${name} DNS`)
    .argument('<service>', 'id or name')
    .action(
      withSession(host, async ({ db, output }, reference: string) => {
        output.item(await changeService(db, reference, { enabled }), SERVICE_COLUMNS);
      }),
    );
}
