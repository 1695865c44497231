import type { Command } from 'commander';
import type { Host } from '../command/host.js';
import { operatorCommand } from '../command/operator-command.js';
import { withSession } from '../command/session.js';
import { listActivationsOf } from '@zonewright/accounts';
import { ACTIVATION_COLUMNS } from './catalog-columns.js';

interface ActivationFilterOptions {
  readonly tenant?: string;
  readonly service?: string;
}

export function serviceActivationsCommand(host: Host): Command {
  return operatorCommand(
    'activations',
    'list which service is active for which tenant',
    'service activations --tenant acme-web',
  )
    .option('--tenant <id|name>', 'only those of the tenant')
    .option('--service <id|name>', 'only those of the service')
    .action(
      withSession(host, async ({ db, output }, options: ActivationFilterOptions) => {
        output.list(await listActivationsOf(db, options), ACTIVATION_COLUMNS);
      }),
    );
}
