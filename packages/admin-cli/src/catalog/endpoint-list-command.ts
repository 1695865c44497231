import type { Command } from 'commander';
import type { Host } from '../command/host.js';
import { operatorCommand } from '../command/operator-command.js';
import { withSession } from '../command/session.js';
import { ENDPOINT_COLUMNS } from './catalog-columns.js';
import { getService, listEndpoints } from '@zonewright/accounts';

export function endpointListCommand(host: Host): Command {
  return operatorCommand('list', 'list endpoints', 'endpoint list --service DNS')
    .option('--service <id|name>', 'only those of the service')
    .action(
      withSession(host, async ({ db, output }, options: { service?: string }) => {
        const service =
          options.service === undefined ? undefined : await getService(db, options.service);
        output.list(await listEndpoints(db, service?.id), ENDPOINT_COLUMNS);
      }),
    );
}
