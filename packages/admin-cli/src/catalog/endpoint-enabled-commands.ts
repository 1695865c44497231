import type { Command } from 'commander';
import type { Host } from '../command/host.js';
import { operatorCommand } from '../command/operator-command.js';
import { withSession } from '../command/session.js';
import { ENDPOINT_COLUMNS } from './catalog-columns.js';
import { changeEndpoint } from '@zonewright/accounts';

/** `enable` and `disable`. */
export function endpointEnabledCommands(host: Host): Command[] {
  return [
    enabledCommand(host, 'enable', true, 'show an endpoint in catalogs again'),
    enabledCommand(host, 'disable', false, 'leave an endpoint out of every catalog'),
  ];
}

function enabledCommand(host: Host, name: string, enabled: boolean, summary: string): Command {
  return operatorCommand(name, summary, `endpoint ${name} 0f5c1d2e3b4a59687786a5b4c3d2e1f0`)
    .argument('<endpoint>', 'its id, or the beginning of it')
    .action(
      withSession(host, async ({ db, output }, id: string) => {
        output.item(await changeEndpoint(db, id, { enabled }), ENDPOINT_COLUMNS);
      }),
    );
}
