import { CommandEnd } from '@zonewright/terminal';
import type { Command } from 'commander';
import { EXIT, type Host, marksFor } from '../command/host.js';
import { userCommand } from '../command/user-command.js';
import { findZone, withDot } from '../record/names.js';
import { type Session, withSession } from '../session/session.js';

type Answers = Awaited<ReturnType<Session['client']['domains']['ask']>>;
type Server = Answers['nameservers'][number];

export function queryCommand(host: Host): Command {
  return userCommand(
    'query',
    'query all nameservers for a name and mark answers that differ',
    'query www.example.com',
    'query example.com MX --at ns1-1',
  )
    .argument('<name>', 'absolute name')
    .argument('[type]', 'A, AAAA, MX, TXT, ...', 'A')
    .option('--at <server>', 'query this nameserver only')
    .action(
      withSession(host, async (session, name: string, type: string, { at }: { at?: string }) => {
        const { client, output, reading } = session;
        const zone = await findZone(session, withDot(name));
        const wanted = { name: withDot(name), type: type.toUpperCase() };
        const answers = await client.domains.ask(zone.id, wanted, reading);
        const servers = answers.nameservers.filter(
          (server) => at === undefined || withDot(server.name).startsWith(withDot(at).slice(0, -1)),
        );
        output.text(
          servers.map((server) => renderServer(host, server)),
          { ...answers, nameservers: servers },
        );
        if (servers.every(isGood)) return;
        throw new CommandEnd(EXIT.failed);
      }),
    );
}

function isGood({ status, differs }: Server): boolean {
  return !differs && (status === 'NOERROR' || status === 'NXDOMAIN');
}

function renderServer(host: Host, server: Server): string {
  const { good, bad } = marksFor(host);
  const { name, status, records, milliseconds, transport, differs } = server;
  const data = records.map(({ ttl, type, data: text }) => `${ttl} ${type} ${text}`).join(', ');
  const took = milliseconds === null ? '' : ` in ${milliseconds} ms`;
  const way = transport === 'tcp' ? ' over TCP' : '';
  const difference = differs ? '  differs from the others' : '';
  return `${isGood(server) ? good : bad} ${name}  ${status}${took}${way}  ${data}${difference}`.trimEnd();
}
