import { compareAnswers } from '@zonewright/client';
import { CommandEnd, printable } from '@zonewright/terminal';
import type { Command } from 'commander';
import { EXIT, type Host, marksFor } from '../command/host.js';
import { userCommand } from '../command/user-command.js';
import { findZone, withDot } from '../record/names.js';
import { type Session, withSession } from '../session/session.js';

type Answers = Awaited<ReturnType<Session['client']['domains']['ask']>>;
type Server = Answers['nameservers'][number];

interface QueryOptions {
  readonly at?: string;
  readonly dnssec?: boolean;
  readonly tcp?: boolean;
}

export function queryCommand(host: Host): Command {
  return userCommand(
    'query',
    'query all nameservers for a name and mark answers that differ',
    'query www.example.com',
    'query example.com MX --at ns1-1',
    'query example.com DNSKEY --dnssec --tcp',
  )
    .argument('<name>', 'absolute name')
    .argument('[type]', 'A, AAAA, MX, TXT, DNSKEY, ANY, TYPE65534, ...', 'A')
    .option('--at <server>', 'print the answer of this nameserver only')
    .option('--dnssec', 'ask for signatures, and print the authority section')
    .option('--tcp', 'query over TCP')
    .action(
      withSession(host, async (session, name: string, type: string, options: QueryOptions) => {
        const { client, output, reading } = session;
        const { at, dnssec = false, tcp = false } = options;
        const zone = await findZone(session, withDot(name));
        const wanted = { name: withDot(name), type: type.toUpperCase(), dnssec, tcp };
        const answers = await client.domains.ask(zone.id, wanted, reading);
        const servers = answers.nameservers.filter(
          (server) => at === undefined || withDot(server.name).startsWith(withDot(at).slice(0, -1)),
        );
        output.text(
          servers.flatMap((server) => renderServer(host, server, answers, dnssec)),
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

function renderServer(
  host: Host,
  server: Server,
  { nameservers }: Answers,
  hasAuthority: boolean,
): readonly string[] {
  const { good, bad, added, removed } = marksFor(host);
  const { name, status, records, authority, milliseconds, transport, differs } = server;
  const took = milliseconds === null ? '' : ` in ${milliseconds} ms`;
  const way = transport === 'tcp' ? ' over TCP' : '';
  const difference = differs ? '  differs from the others' : '';
  const mark = isGood(server) ? good : bad;
  const head = `${mark} ${name}  ${status}${took}${way}`;
  const { missing, extra } = compareAnswers(server, nameservers);
  const compared = [
    ...missing.map((record) => `    ${removed} ${renderAnswer(record)}`),
    ...extra.map((record) => `    ${added} ${renderAnswer(record)}`),
  ];
  if (!hasAuthority) {
    const data = records.map(renderAnswer).join(', ');
    return [`${head}  ${data}${difference}`.trimEnd(), ...compared];
  }
  // Signatures are long, so each record has a line.
  return [
    `${head}${difference}`,
    ...records.map((record) => `    ${renderAnswer(record)}`),
    ...authority.map((record) => `    authority: ${record.name} ${renderAnswer(record)}`),
    ...compared,
  ];
}

function renderAnswer({ ttl, type, data }: Server['records'][number]): string {
  return printable(`${ttl} ${type} ${data}`);
}
