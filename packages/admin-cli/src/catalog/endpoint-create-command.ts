import type { Command } from 'commander';
import type { Host } from '../command/host.js';
import { operatorCommand } from '../command/operator-command.js';
import { withSession } from '../command/session.js';
import { ENDPOINT_COLUMNS } from './catalog-columns.js';
import {
  addEndpointOptions,
  type EndpointOptions,
  PUBLIC_URL_HELP,
  toEndpointChange,
} from './endpoint-options.js';
import { createEndpoint } from '@zonewright/accounts';

interface EndpointCreateOptions extends EndpointOptions {
  readonly id?: string;
  readonly region: string;
  readonly publicUrl: string;
  readonly disabled?: boolean;
}

export function endpointCreateCommand(host: Host): Command {
  const command = operatorCommand(
    'create',
    'give a service its URLs in a region',
    'endpoint create DNS --region US-East --public-url https://dns.example.net/v1/',
    'endpoint create "Object Storage" --region US-West --release-state beta \\\n' +
      '    --public-url "https://objects.example.net/v1/%(tenant_id)s"',
  )
    .argument('<service>', 'id or name')
    .requiredOption('--region <region>', 'where it stands')
    .requiredOption('--public-url <url>', PUBLIC_URL_HELP)
    .option('--id <id>', 'the id that it had elsewhere; otherwise a new one')
    .option('--disabled', 'leave it out of every catalog until endpoint enable');
  return addEndpointOptions(command).action(
    withSession(host, async ({ db, output }, service: string, options: EndpointCreateOptions) => {
      const endpoint = await createEndpoint(db, {
        ...toEndpointChange(options),
        service,
        id: options.id,
        region: options.region,
        publicUrl: options.publicUrl,
        enabled: options.disabled !== true,
      });
      output.item(endpoint, ENDPOINT_COLUMNS);
    }),
  );
}
