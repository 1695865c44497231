import type { Command } from 'commander';
import type { Host } from '../command/host.js';
import { operatorCommand } from '../command/operator-command.js';
import { withSession } from '../command/session.js';
import { ENDPOINT_COLUMNS } from './catalog-columns.js';
import { getEndpoint } from '@zonewright/accounts';

export function endpointShowCommand(host: Host): Command {
  return operatorCommand(
    'show',
    'show an endpoint',
    'endpoint show 0f5c1d2e3b4a59687786a5b4c3d2e1f0',
  )
    .argument('<endpoint>', 'its id, or the beginning of it')
    .action(
      withSession(host, async ({ db, output }, id: string) => {
        output.item(await getEndpoint(db, id), ENDPOINT_COLUMNS);
      }),
    );
}
