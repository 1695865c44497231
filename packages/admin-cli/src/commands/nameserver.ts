import { ServiceError } from '@zonewright/service-kit';
import type { Column } from '@zonewright/terminal';
import {
  acceptDatabase,
  addNameserver,
  changeNameserver,
  getNameserverDomain,
  listIdentityMismatches,
  listNameservers,
  type Nameserver,
  type NameserverDomain,
  removeNameserver,
  setNameserverDomain,
} from '@zonewright/zones';
import type { Command } from 'commander';
import type { Host } from '../command/host.js';
import { commandGroup, operatorCommand } from '../command/operator-command.js';
import { withSession } from '../command/session.js';
import { nameserverSoaCommands } from './nameserver-soa.js';

export function nameserverCommands(host: Host): Command {
  return commandGroup(
    'nameserver',
    'manage the nameservers in the NS records of every zone',
    [
      nameserverListCommand(host),
      nameserverAddCommand(host),
      nameserverSetCommand(host),
      nameserverRemoveCommand(host),
      ...nameserverDomainCommands(host),
      ...nameserverSoaCommands(host),
      nameserverAcceptDatabaseCommand(host),
    ],
    'nameserver set ns1-1 --ipv4 192.0.2.1',
  );
}

function nameserverAcceptDatabaseCommand(host: Host): Command {
  return operatorCommand(
    'accept-database',
    'make nameservers accept this database; zones that it does not have disappear',
    'nameserver accept-database',
  ).action(
    withSession(host, async ({ db, output }) => {
      const accepted = await db.transaction(async (trx) => {
        const doubts = await listIdentityMismatches(trx);
        if (doubts.length === 0) {
          throw new ServiceError('conflict', 'All nameservers trust this database.');
        }
        const insteadOf = [...new Set(doubts.flatMap(({ databaseId }) => databaseId ?? []))];
        return { ...(await acceptDatabase(trx, insteadOf)), doubts };
      });
      const { id, doubts } = accepted;
      output.done(
        `Database ${id} accepted. Nameservers that had rejected it: ${doubts.map(({ name, doubt }) => `${name} (${doubt})`).join('; ')}.`,
        accepted,
      );
    }),
  );
}

interface NameserverAddOptions {
  readonly id?: string;
  readonly ipv4?: string;
  readonly ipv6?: string;
}

function nameserverAddCommand(host: Host): Command {
  return operatorCommand(
    'add',
    'add a nameserver to the list; all zones are updated in the background',
    'nameserver add ns1-7 --ipv4 192.0.2.7 --ipv6 2001:db8::7',
  )
    .argument('<name>', 'label in the nameserver domain, or full name')
    .option('--ipv4 <address>', 'IPv4 address')
    .option('--ipv6 <address>', 'IPv6 address')
    .option('--id <uuid>', 'ID from a previous installation (default: generated)')
    .action(
      withSession(host, async ({ db, output }, name: string, options: NameserverAddOptions) => {
        output.item(await addNameserver(db, { ...options, name }), NAMESERVER_COLUMNS);
      }),
    );
}

const NAMESERVER_COLUMNS: readonly Column<Nameserver>[] = [
  { title: 'Position', member: 'position' },
  { title: 'Name', member: 'name' },
  { title: 'IPv4', member: 'ipv4' },
  { title: 'IPv6', member: 'ipv6' },
  { title: 'ID', member: 'id' },
  { title: 'Created', member: 'createdAt', isDetail: true },
  { title: 'Updated', member: 'updatedAt', isDetail: true },
];

const NAMESERVER_DOMAIN_COLUMNS: readonly Column<NameserverDomain>[] = [
  { title: 'Name', member: 'name' },
  { title: 'E-mail', member: 'email' },
  { title: 'Serial', member: 'serial' },
];

/** Implements `show-domain` and `set-domain`, which concern the domain that contains the nameservers' names. */
function nameserverDomainCommands(host: Host): Command[] {
  return [showDomainCommand(host), setDomainCommand(host)];
}

function showDomainCommand(host: Host): Command {
  return operatorCommand(
    'show-domain',
    'show the nameserver domain',
    'nameserver show-domain',
  ).action(
    withSession(host, async ({ db, output }) => {
      output.item(await getNameserverDomain(db), NAMESERVER_DOMAIN_COLUMNS);
    }),
  );
}

function setDomainCommand(host: Host): Command {
  return operatorCommand(
    'set-domain',
    'change the name or mailbox of the nameserver domain',
    'nameserver set-domain --email hostmaster@dns.example.net',
  )
    .option('--name <name>', 'new name')
    .option('--email <address>', 'mailbox in its SOA record')
    .action(
      withSession(host, async ({ db, output }, options: { name?: string; email?: string }) => {
        const domain = await getNameserverDomain(db);
        const { name = domain.name, email = domain.email } = options;
        output.item(await setNameserverDomain(db, { name, email }), NAMESERVER_DOMAIN_COLUMNS);
      }),
    );
}

function nameserverListCommand(host: Host): Command {
  return operatorCommand(
    'list',
    'list the nameservers of all zones; the first one is in the SOA record',
    'nameserver list',
  ).action(
    withSession(host, async ({ db, output }) => {
      output.list(await listNameservers(db), NAMESERVER_COLUMNS);
    }),
  );
}

function nameserverRemoveCommand(host: Host): Command {
  return operatorCommand(
    'remove',
    'remove a nameserver from the list and from all zones',
    'nameserver remove ns1-6',
  )
    .argument('<nameserver>', 'label in the nameserver domain, or full name')
    .action(
      withSession(host, async ({ db, output }, reference: string) => {
        const server = await removeNameserver(db, reference);
        output.done(
          server === undefined
            ? `${reference} was not in the list; the last status of its process was deleted.`
            : `Nameserver ${server.name} removed.`,
          server ?? { name: reference },
        );
      }),
    );
}

interface NameserverSetOptions {
  readonly name?: string;
  /** False if --no-ipv4 is given. */
  readonly ipv4?: string | false;
  readonly ipv6?: string | false;
}

function nameserverSetCommand(host: Host): Command {
  return operatorCommand(
    'set',
    'change the name or addresses of a nameserver',
    'nameserver set ns1-1 --ipv4 198.51.100.1 --no-ipv6',
    'nameserver set ns1-1 --name ns2-1',
  )
    .argument('<nameserver>', 'label in the nameserver domain, or full name')
    .option('--name <name>', 'new name')
    .option('--ipv4 <address>', 'IPv4 address')
    .option('--no-ipv4', 'remove the IPv4 address')
    .option('--ipv6 <address>', 'IPv6 address')
    .option('--no-ipv6', 'remove the IPv6 address')
    .action(
      withSession(
        host,
        async ({ db, output }, reference: string, options: NameserverSetOptions) => {
          const server = await changeNameserver(db, reference, {
            name: options.name,
            ipv4: options.ipv4 === false ? null : options.ipv4,
            ipv6: options.ipv6 === false ? null : options.ipv6,
          });
          output.item(server, NAMESERVER_COLUMNS);
        },
      ),
    );
}
