import {
  changeEndpoint,
  createEndpoint,
  type EndpointChange,
  getEndpoint,
  getService,
  listEndpoints,
  RELEASE_STATES,
  type ReleaseState,
  TENANT_PLACEHOLDER,
} from '@zonewright/accounts';
import { type Command, Option } from 'commander';
import type { Host } from '../command/host.js';
import { commandGroup, operatorCommand } from '../command/operator-command.js';
import { withSession } from '../command/session.js';
import { ENDPOINT_COLUMNS } from './service.js';

export function endpointCommands(host: Host): Command {
  return commandGroup(
    'endpoint',
    'manage the endpoints (URLs) of services in the catalog',
    [
      endpointCreateCommand(host),
      endpointListCommand(host),
      endpointShowCommand(host),
      endpointSetCommand(host),
      ...endpointEnabledCommands(host),
    ],
    'endpoint list --service DNS',
  );
}

interface EndpointCreateOptions extends EndpointOptions {
  readonly id?: string;
  readonly region: string;
  readonly publicUrl: string;
  readonly disabled?: boolean;
}

function endpointCreateCommand(host: Host): Command {
  const command = operatorCommand(
    'create',
    'add an endpoint with the URLs of a service in a region',
    'endpoint create DNS --region US-East --public-url https://dns.example.net/v1/',
    'endpoint create "Object Storage" --region US-West --release-state beta \\\n' +
      '    --public-url "https://objects.example.net/v1/%(tenant_id)s"',
  )
    .argument('<service>', 'ID or name of the service')
    .requiredOption('--region <region>', 'region of the endpoint')
    .requiredOption('--public-url <url>', PUBLIC_URL_HELP)
    .option('--id <id>', 'ID from a previous installation (default: generated)')
    .option('--disabled', 'create the endpoint as disabled; endpoint enable adds it to catalogs');
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

/** Implements `enable` and `disable`. */
function endpointEnabledCommands(host: Host): Command[] {
  return [
    enabledCommand(host, 'enable', true, 'enable an endpoint'),
    enabledCommand(host, 'disable', false, 'disable an endpoint and remove it from all catalogs'),
  ];
}

function enabledCommand(host: Host, name: string, enabled: boolean, summary: string): Command {
  return operatorCommand(name, summary, `endpoint ${name} 0f5c1d2e3b4a59687786a5b4c3d2e1f0`)
    .argument('<endpoint>', 'ID of the endpoint, or its first characters')
    .action(
      withSession(host, async ({ db, output }, id: string) => {
        output.item(await changeEndpoint(db, id, { enabled }), ENDPOINT_COLUMNS);
      }),
    );
}

function endpointListCommand(host: Host): Command {
  return operatorCommand('list', 'list endpoints', 'endpoint list --service DNS')
    .option('--service <id|name>', 'only endpoints of this service')
    .action(
      withSession(host, async ({ db, output }, options: { service?: string }) => {
        const service =
          options.service === undefined ? undefined : await getService(db, options.service);
        output.list(await listEndpoints(db, service?.id), ENDPOINT_COLUMNS);
      }),
    );
}

/** Options of both `endpoint create` and `endpoint set`. */
interface EndpointOptions {
  readonly publicUrl2?: string;
  readonly internalUrl?: string;
  readonly adminUrl?: string;
  readonly versionId?: string;
  readonly versionInfo?: string;
  readonly versionList?: string;
  readonly releaseState?: ReleaseState;
}

/** Help text of the URL options. */
const PUBLIC_URL_HELP = `URL for clients; ${TENANT_PLACEHOLDER} is replaced by the tenant of the token`;

function addEndpointOptions(command: Command): Command {
  return command
    .option('--public-url2 <url>', 'second URL for clients; "" shows it as empty')
    .option('--internal-url <url>', 'URL for programs inside the installation')
    .option('--admin-url <url>', 'URL for administrators')
    .option('--version-id <id>', 'version of the API, such as 2.0')
    .option('--version-info <url>', 'URL of the description of this version')
    .option('--version-list <url>', 'URL of the list of versions')
    .addOption(
      new Option('--release-state <state>', 'release state shown to clients').choices([
        ...RELEASE_STATES,
      ]),
    );
}

/** An empty text removes a value. publicURL2 is then shown as an empty text (DNS API s1). */
function toEndpointChange(options: EndpointOptions): EndpointChange {
  return {
    publicUrl2: options.publicUrl2,
    internalUrl: emptyToNull(options.internalUrl),
    adminUrl: emptyToNull(options.adminUrl),
    versionId: emptyToNull(options.versionId),
    versionInfo: emptyToNull(options.versionInfo),
    versionList: emptyToNull(options.versionList),
    releaseState: options.releaseState,
  };
}

function emptyToNull(text: string | undefined): string | null | undefined {
  return text === '' ? null : text;
}

interface EndpointSetOptions extends EndpointOptions {
  readonly region?: string;
  readonly publicUrl?: string;
}

function endpointSetCommand(host: Host): Command {
  const command = operatorCommand(
    'set',
    'change an endpoint; "" removes a value',
    'endpoint set 0f5c1d2e3b4a59687786a5b4c3d2e1f0 --release-state public',
  )
    .argument('<endpoint>', 'ID of the endpoint, or its first characters')
    .option('--region <region>', 'region of the endpoint')
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

function endpointShowCommand(host: Host): Command {
  return operatorCommand(
    'show',
    'show an endpoint',
    'endpoint show 0f5c1d2e3b4a59687786a5b4c3d2e1f0',
  )
    .argument('<endpoint>', 'ID of the endpoint, or its first characters')
    .action(
      withSession(host, async ({ db, output }, id: string) => {
        output.item(await getEndpoint(db, id), ENDPOINT_COLUMNS);
      }),
    );
}
