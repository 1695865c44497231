import { isIPv4 } from 'node:net';
import { ensureDemo, type GivenAccessKey } from '@zonewright/accounts';
import { ServiceError, SettingsError } from '@zonewright/service-kit';
import { collect, type Output } from '@zonewright/terminal';
import { listNameservers, type Nameserver, type NameserverInput } from '@zonewright/zones';
import type { Command } from 'commander';
import type { Host } from '../command/host.js';
import { operatorCommand } from '../command/operator-command.js';
import { withSession } from '../command/session.js';
import type { AdminSettings } from '../settings/settings.js';
import { bootstrap, type BootstrapResult } from './bootstrap.js';

interface BootstrapCommandOptions {
  readonly administrator: string;
  readonly region: string;
  readonly identityUrl: string;
  readonly dnsUrl: string;
  readonly dnsType?: string[];
  readonly nameserverDomain: string;
  readonly nameserverEmail?: string;
  readonly nameserver?: string[];
  readonly demo?: boolean;
}

export function bootstrapCommand(host: Host): Command {
  return operatorCommand(
    'bootstrap',
    'set up a new installation and print its secrets once; run it again to add what is missing',
    'bootstrap --identity-url https://identity.example.net:35357 --dns-url https://dns.example.net \\\n' +
      '    --nameserver-domain dns.example.net --nameserver ns1-1=192.0.2.1 --nameserver ns1-2=192.0.2.2',
  )
    .requiredOption('--identity-url <url>', 'URL of the identity service for clients')
    .requiredOption('--dns-url <url>', 'URL of the DNS API for clients')
    .requiredOption('--nameserver-domain <name>', 'domain of the nameserver names')
    .option(
      '--nameserver-email <address>',
      'mailbox in its SOA record (default: hostmaster@<domain>)',
    )
    .option(
      '--nameserver <name[=addresses]>',
      'nameserver with its IPv4 and IPv6 address; repeatable (default: ns1-1 to ns1-6)',
      collect,
    )
    .option('--administrator <name>', 'user name of the first administrator', 'admin')
    .option('--region <region>', 'region of the endpoints in the catalog', 'US-West')
    .option(
      '--dns-type <type>',
      'service type under which clients find the DNS service; repeatable (default: ext:dns)',
      collect,
    )
    .option(
      '--demo',
      'create a tenant and a user named demo with DEMO_PASSWORD and DEMO_ACCESS_KEY, to try the platform',
    )
    .action(
      withSession(
        host,
        async ({ db, keyring, settings, output }, options: BootstrapCommandOptions) => {
          const { nameserverDomain, nameserver = DEFAULT_NAMESERVERS } = options;
          const demo = options.demo === true ? readDemo(settings) : undefined;
          const result = await bootstrap(db, keyring(), {
            administratorName: options.administrator,
            administratorPassword: settings.bootstrap.administratorPassword,
            region: options.region,
            identityUrl: options.identityUrl,
            dnsUrl: options.dnsUrl,
            dnsServiceTypes: options.dnsType,
            nameserverDomain,
            nameserverEmail: options.nameserverEmail ?? defaultMailbox(nameserverDomain),
            nameservers: nameserver.map(parseNameserver),
            serviceAccessKey: givenAccessKey('DNS_API_SERVICE', {
              id: settings.bootstrap.serviceAccessKey,
              secretKey: settings.bootstrap.serviceSecretKey,
            }),
            nameserverAccessKey: givenAccessKey('NAMESERVER_SERVICE', {
              id: settings.bootstrap.nameserverAccessKey,
              secretKey: settings.bootstrap.nameserverSecretKey,
            }),
          });
          if (demo !== undefined) await ensureDemo(db, keyring(), demo);
          printBootstrapResult(output, result);
          remarkMissingAddresses(output, await listNameservers(db));
        },
      ),
    );
}

function readDemo({
  bootstrap: { demoPassword: password, demoAccessKey, demoSecretKey },
}: AdminSettings) {
  if (password === undefined) {
    throw new SettingsError([
      'DEMO_PASSWORD is not set: bootstrap --demo needs it as the password of the demo user',
    ]);
  }
  const key = { id: demoAccessKey, secretKey: demoSecretKey };
  return { password, accessKey: givenAccessKey('DEMO', key) };
}

function defaultMailbox(domain: string): string {
  return `hostmaster@${domain.replace(/\.$/, '')}`;
}

function givenAccessKey(
  prefix: string,
  { id, secretKey }: { [K in keyof GivenAccessKey]: string | undefined },
): GivenAccessKey | undefined {
  if (id !== undefined && secretKey !== undefined) return { id, secretKey };
  if (id === undefined && secretKey === undefined) return undefined;
  throw new SettingsError([`set both ${prefix}_ACCESS_KEY and ${prefix}_SECRET_KEY, or neither`]);
}

/** Prints the created objects, and the new secrets with the variables that they belong in. */
function printBootstrapResult(output: Output, result: BootstrapResult): void {
  const { administratorPassword, serviceAccessKey, serviceSecretKey } = result.secrets;
  const secrets = Object.entries({
    ADMINISTRATOR_PASSWORD: administratorPassword,
    DNS_API_SERVICE_ACCESS_KEY: serviceAccessKey,
    DNS_API_SERVICE_SECRET_KEY: serviceSecretKey,
  }).flatMap(([variable, secret]) => (secret === undefined ? [] : [`${variable}=${secret}`]));
  const lines = [...result.created.map((line) => `created ${line}`), ...secrets];
  output.done(
    lines.length === 0 ? 'The installation is already complete.' : lines.join('\n'),
    result,
  );
  if (secrets.length > 0) output.remark('Save these secrets: they cannot be shown again.');
}

/** Reports nameservers without an address: within their own domain they cannot be reached. */
function remarkMissingAddresses(output: Output, servers: readonly Nameserver[]): void {
  const missing = servers.filter(({ ipv4, ipv6 }) => ipv4 === null && ipv6 === null);
  if (missing.length === 0) return;
  const names = missing.map(({ name }) => name).join(', ');
  output.remark(`Nameservers without an address (set one with nameserver set): ${names}`);
}

/** DNS API, section 1, names six nameservers, ns1-1 to ns1-6, under the nameserver domain. */
const DEFAULT_NAMESERVERS = ['ns1-1', 'ns1-2', 'ns1-3', 'ns1-4', 'ns1-5', 'ns1-6'];

/**
 * Parses `ns1-1`, `ns1-1=192.0.2.1` or `ns1-1=192.0.2.1,2001:db8::1`, with the addresses in any order.
 * @throws ServiceError invalid
 */
export function parseNameserver(text: string): NameserverInput {
  const [name = '', addresses] = text.split('=', 2);
  const given = addresses?.split(',') ?? [];
  const ipv4 = given.filter((address) => isIPv4(address));
  const ipv6 = given.filter((address) => !isIPv4(address));
  if (ipv4.length > 1 || ipv6.length > 1) {
    throw new ServiceError(
      'invalid',
      `"${text}" has more than one address of the same family for a nameserver: write ns1-1=192.0.2.1,2001:db8::1`,
    );
  }
  return { name, ipv4: ipv4[0], ipv6: ipv6[0] };
}
