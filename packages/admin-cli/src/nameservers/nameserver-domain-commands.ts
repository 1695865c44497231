import type { Command } from 'commander';
import type { Host } from '../command/host.js';
import { operatorCommand } from '../command/operator-command.js';
import { withSession } from '../command/session.js';
import { NAMESERVER_DOMAIN_COLUMNS } from './nameserver-columns.js';
import { getNameserverDomain, setNameserverDomain } from '@zonewright/zones';

/** `show-domain` and `set-domain`: the domain in which the nameservers themselves stand. */
export function nameserverDomainCommands(host: Host): Command[] {
  return [showDomainCommand(host), setDomainCommand(host)];
}

function showDomainCommand(host: Host): Command {
  return operatorCommand(
    'show-domain',
    'show the domain in which the nameservers stand',
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
    'change the name or the mailbox of that domain; servers keep their names until nameserver set',
    'nameserver set-domain --email hostmaster@dns.example.net',
  )
    .option('--name <name>', 'its new name')
    .option('--email <address>', 'the mailbox in its SOA record')
    .action(
      withSession(host, async ({ db, output }, options: { name?: string; email?: string }) => {
        const domain = await getNameserverDomain(db);
        const { name = domain.name, email = domain.email } = options;
        output.item(await setNameserverDomain(db, { name, email }), NAMESERVER_DOMAIN_COLUMNS);
      }),
    );
}
