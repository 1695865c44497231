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
import { changeEndpoint } from '@zonewright/accounts';

interface EndpointSetOptions extends EndpointOptions {
  readonly region?: string;
  readonly publicUrl?: string;
}

export function endpointSetCommand(host: Host): Command {
  const command = operatorCommand(
    'set',
    'change an endpoint; what is not given stays as it is, "" takes a value away',
    'endpoint set 0f5c1d2e3b4a59687786a5b4c3d2e1f0 --release-state public',
  )
    .argument('<endpoint>', 'its id, or the beginning of it')
    .option('--region <region>', 'where it stands')
    .option('--public-url <url>', PUBLIC_URL_HELP);
  return addEndpointOptions(command).action(
    withSession(host, async ({ db, output }, id: string, options: EndpointSetOptions) => {
      const endpoint = await changeEndpoint(db, id, {
        ...toEndpointChange(options),
        region: options.region,
        publicUrl: options.publicUrl,
      });
      output.item(endpoint, ENDPOINT_COLUMNS);
    }),
  );
}
