import type { Client } from '@zonewright/client';
import { CommandEnd, parseCount } from '@zonewright/terminal';
import type { Command } from 'commander';
import { EXIT } from '../command/exit-codes.js';
import type { Host } from '../command/host.js';
import { withSession } from '../session/session.js';
import { userCommand } from '../command/user-command.js';
import { marksFor } from '../output/marks.js';
import { awaitPublication, type Publication, WAIT_SECONDS } from './await-publication.js';

export function checkCommand(host: Host): Command {
  return userCommand(
    'check',
    'whether every nameserver answers with the latest change, and what is wrong with the domain',
    'check example.com',
    'check example.com --wait 60',
  )
    .argument('<domain>', 'its name or id')
    .option('--wait <seconds>', `how long a change may take (default: ${WAIT_SECONDS})`, parseCount)
    .action(
      withSession(
        host,
        async (session, domain: string, { wait = WAIT_SECONDS }: { wait?: number }) => {
          const { client, output, reading } = session;
          const { value } = await client.domains.get(domain, reading);
          const publication = await awaitPublication(session, value, wait);
          const examination = await client.domains.check(value.id, reading);
          const isLate = publication.state !== 'published';
          output.text(render(host, publication, examination), { publication, examination });
          if (examination.state === 'error') throw new CommandEnd(EXIT.failed);
          if (isLate) throw new CommandEnd(EXIT.notPublished);
        },
      ),
    );
}

type Examination = Awaited<ReturnType<Client['domains']['check']>>;

function render(host: Host, publication: Publication, examination: Examination): string[] {
  const { good, bad, warning } = marksFor(host);
  const asked = new Map(examination.nameservers.map((server) => [server.name, server]));
  const servers = publication.nameservers.map((server) => {
    const answer =
      asked.get(server.name) ??
      examination.nameservers.find(({ name }) => name.startsWith(`${server.name}.`));
    const address = answer?.address == null ? '' : ` (${answer.address})`;
    const { isGood, words } = describeServer(server, answer);
    return `${isGood ? good : bad} ${server.name}${address} ${words}`;
  });
  const findings = examination.findings.flatMap(({ severity, message, action }) => [
    `${severity === 'error' ? bad : warning} ${message}`,
    ...(action === '' ? [] : [`    ${action}`]),
  ]);
  return [`${examination.name} serial ${publication.serial}`, ...servers, ...findings];
}

function describeServer(
  { applied, live, delay_ms: delay }: Publication['nameservers'][number],
  answer: Examination['nameservers'][number] | undefined,
): { readonly isGood: boolean; readonly words: string } {
  if (!live) return { isGood: false, words: 'does not run' };
  if (!applied) return { isGood: false, words: 'has not taken over the change yet' };
  if (answer?.status !== 'NOERROR') {
    return { isGood: false, words: `does not answer: ${answer?.status ?? 'nobody asked it'}` };
  }
  const took = delay === null ? '' : `, ${delay} ms after the change`;
  return { isGood: true, words: `answers with serial ${answer.serial ?? 'unknown'}${took}` };
}
