import { SettingsError } from '@zonewright/service-kit';
import type { Command } from 'commander';
import type { Host } from '../command/host.js';
import { operatorCommand } from '../command/operator-command.js';
import { withSession } from '../command/session.js';
import { listNameservers } from '@zonewright/zones';
import type { AdminSettings } from '../settings/settings.js';
import { bootstrap } from './bootstrap.js';
import { printBootstrapResult, remarkMissingAddresses } from './bootstrap-report.js';
import { ensureDemo, type GivenAccessKey } from '@zonewright/accounts';
import { collect } from '@zonewright/terminal';
import { DEFAULT_NAMESERVERS, parseNameserver } from './nameserver-option.js';

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
    'make what a new installation begins with and print its secrets, once; run again, it completes what is missing',
    'bootstrap --identity-url https://identity.example.net:35357 --dns-url https://dns.example.net \\\n' +
      '    --nameserver-domain dns.example.net --nameserver ns1-1=192.0.2.1 --nameserver ns1-2=192.0.2.2',
  )
    .requiredOption('--identity-url <url>', 'where clients reach the identity service')
    .requiredOption('--dns-url <url>', 'where clients reach the DNS API')
    .requiredOption('--nameserver-domain <name>', 'the domain in which the nameservers stand')
    .option('--nameserver-email <address>', 'in its SOA record (default: hostmaster@<domain>)')
    .option(
      '--nameserver <name[=addresses]>',
      'a nameserver with its IPv4 and IPv6 address, once for each (default: ns1-1 to ns1-6)',
      collect,
    )
    .option('--administrator <name>', 'the first administrator', 'admin')
    .option('--region <region>', "of the catalog's endpoints", 'US-West')
    .option(
      '--dns-type <type>',
      'under which clients find the DNS service, once for each (default: ext:dns)',
      collect,
    )
    .option('--demo', 'a tenant and a user demo, with DEMO_PASSWORD, to try the platform')
    .action(
      withSession(
        host,
        async ({ db, keyring, settings, output }, options: BootstrapCommandOptions) => {
          const { nameserverDomain, nameserver = DEFAULT_NAMESERVERS } = options;
          const demo = options.demo === true ? demoPassword(settings) : undefined;
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
            serviceAccessKey: givenAccessKey('DNS_API', {
              id: settings.bootstrap.serviceAccessKey,
              secretKey: settings.bootstrap.serviceSecretKey,
            }),
            nameserverAccessKey: givenAccessKey('NAMESERVER', {
              id: settings.bootstrap.nameserverAccessKey,
              secretKey: settings.bootstrap.nameserverSecretKey,
            }),
          });
          if (demo !== undefined) await ensureDemo(db, { password: demo });
          printBootstrapResult(output, result);
          remarkMissingAddresses(output, await listNameservers(db));
        },
      ),
    );
}

function demoPassword({ bootstrap: { demoPassword: password } }: AdminSettings): string {
  if (password !== undefined) return password;
  throw new SettingsError(['DEMO_PASSWORD is not set: bootstrap --demo gives it to the user demo']);
}

function defaultMailbox(domain: string): string {
  return `hostmaster@${domain.replace(/\.$/, '')}`;
}

function givenAccessKey(
  service: string,
  { id, secretKey }: { [K in keyof GivenAccessKey]: string | undefined },
): GivenAccessKey | undefined {
  if (id !== undefined && secretKey !== undefined) return { id, secretKey };
  if (id === undefined && secretKey === undefined) return undefined;
  throw new SettingsError([
    `${service}_SERVICE_ACCESS_KEY and ${service}_SERVICE_SECRET_KEY go together: set both, or neither`,
  ]);
}
