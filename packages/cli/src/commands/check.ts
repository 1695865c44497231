import type { Client } from '@zonewright/client';
import { CommandEnd, parseCount } from '@zonewright/terminal';
import { type Command, Option } from 'commander';
import { EXIT, type Host, marksFor } from '../command/host.js';
import { userCommand } from '../command/user-command.js';
import { renderRecord } from '../record/names.js';
import { again, type Session, watchOption, withSession } from '../session/session.js';
import { parseSerial } from './history.js';

const WATCH_SECONDS = 3;

export function checkCommand(host: Host): Command {
  return userCommand(
    'check',
    'check a domain: nameservers, delegation and records',
    'check example.com',
    'check example.com --wait 60',
    'check example.com --watch',
  )
    .argument('<domain>', 'domain name or ID')
    .addOption(
      new Option(
        '--wait <seconds>',
        `seconds to wait for the latest change (default: ${WAIT_SECONDS})`,
      )
        .argParser(parseCount)
        .conflicts('watch'),
    )
    .addOption(
      watchOption('repeat the check until there are no problems, and print changes', WATCH_SECONDS),
    )
    .action(withSession(host, check));
}

interface CheckOptions {
  readonly wait?: number;
  readonly watch?: number;
}

async function check(
  session: Session,
  domain: string,
  { wait = WAIT_SECONDS, watch }: CheckOptions,
): Promise<void> {
  const { host, output } = session;
  if (watch === undefined) {
    const seen = await look(session, domain, wait);
    output.text(render(host, seen), seen);
    if (seen.examination.state === 'error') throw new CommandEnd(EXIT.failed);
    if (seen.publication.state !== 'published') throw new CommandEnd(EXIT.notPublished);
    return;
  }
  let before: readonly string[] | undefined;
  await again(session, watch, async () => {
    const seen = await look(session, domain, 0);
    const lines = render(host, seen);
    const changes = before === undefined ? lines : renderChanges(host, before, lines);
    if (changes.length > 0) output.text(changes, seen);
    before = lines;
    return seen.examination.state !== 'error' && seen.publication.state === 'published';
  });
}

interface Seen {
  readonly publication: Publication;
  readonly examination: Examination;
}

async function look(session: Session, domain: string, wait: number): Promise<Seen> {
  const { client, reading } = session;
  const { value } = await client.domains.get(domain, reading);
  const publication = await awaitPublication(session, value, wait);
  return { publication, examination: await client.domains.check(value.id, reading) };
}

/** Renders new findings and those that no longer apply. */
function renderChanges(
  host: Host,
  before: readonly string[],
  after: readonly string[],
): readonly string[] {
  const { added, removed } = marksFor(host);
  return [
    ...before.filter((line) => !after.includes(line)).map((line) => `${removed} ${line}`),
    ...after.filter((line) => !before.includes(line)).map((line) => `${added} ${line}`),
  ];
}

type Examination = Awaited<ReturnType<Client['domains']['check']>>;

function render(host: Host, { publication, examination }: Seen): string[] {
  const { good, bad, warning, added, removed } = marksFor(host);
  const asked = new Map(examination.nameservers.map((server) => [server.name, server]));
  const servers = publication.nameservers.map((server) => {
    const answer =
      asked.get(server.name) ??
      examination.nameservers.find(({ name }) => name.startsWith(`${server.name}.`));
    const address = answer?.address == null ? '' : ` (${answer.address})`;
    const { isGood, words } = describeServer(server, answer);
    return `${isGood ? good : bad} ${server.name}${address} ${words}`;
  });
  const findings = examination.findings.flatMap(({ severity, message, action, fix }) => [
    `${severity === 'error' ? bad : warning} ${message}`,
    ...(action === '' ? [] : [`    ${action}`]),
    ...(fix?.remove ?? []).map((record) => `    ${removed} ${renderRecord(record)}`),
    ...(fix?.add ?? []).map((record) => `    ${added} ${renderRecord(record)}`),
  ]);
  return [`${examination.name} serial ${publication.serial}`, ...servers, ...findings];
}

function describeServer(
  { applied, live, delay_ms: delay }: Publication['nameservers'][number],
  answer: Examination['nameservers'][number] | undefined,
): { readonly isGood: boolean; readonly words: string } {
  if (!live) return { isGood: false, words: 'not running' };
  if (!applied) return { isGood: false, words: 'has not published the change yet' };
  if (answer?.status !== 'NOERROR') {
    return {
      isGood: false,
      words: answer === undefined ? 'not queried' : `query failed: ${answer.status}`,
    };
  }
  const took = delay === null ? '' : `, ${delay} ms after the change`;
  return { isGood: true, words: `answers with serial ${answer.serial ?? 'unknown'}${took}` };
}

export function publishCommand(host: Host): Command {
  return userCommand(
    'publish',
    'show the publication of a change on each nameserver',
    'publish example.com',
    'publish example.com 1795330350 --wait 60',
  )
    .argument('<domain>', 'domain name or ID')
    .argument(
      '[serial]',
      'serial serial of the change, as `history` shows it (default: the latest)',
      parseSerial,
    )
    .option('--wait <seconds>', `seconds to wait (default: ${WAIT_SECONDS})`, parseCount)
    .action(
      withSession(
        host,
        async (
          session,
          domain: string,
          wanted: number | undefined,
          { wait = WAIT_SECONDS }: { wait?: number },
        ) => {
          const { value } = await session.client.domains.get(domain, session.reading);
          const serial = wanted ?? value.serial;
          const publication = await awaitPublication(session, { id: value.id, serial }, wait);
          const { good, bad, warning } = marksFor(host);
          const { applied, total, primaries } = publication;
          session.output.text(
            [
              `${value.name} serial ${serial}: ${applied} of ${total} nameservers have published it`,
              ...publication.nameservers.map(
                ({ name, applied: has, live, delay_ms: delay }) =>
                  `${has && live ? good : bad} ${name}  ${live ? (has ? `${delay ?? '?'} ms` : 'waiting') : 'not running'}`,
              ),
              ...(primaries === null ? [] : describePrimaries(primaries, { bad, warning })),
            ],
            publication,
          );
          if (publication.state !== 'published') throw new CommandEnd(EXIT.notPublished);
        },
      ),
    );
}

/** Explains why the primaries of a secondary domain do not provide it. Empty if they do. */
function describePrimaries(
  { content, problem, action }: NonNullable<Publication['primaries']>,
  { bad, warning }: { readonly bad: string; readonly warning: string },
): string[] {
  if (content === 'latest') return [];
  const sentence = `${CONTENTS[content]}${problem === null ? '' : `: ${problem}`}`;
  const mark = content === 'stale' ? warning : bad;
  return [`${mark} ${sentence}`, ...(action === null ? [] : [`    ${action}`])];
}

const CONTENTS = {
  stale: 'The primaries do not provide the latest version, so the previous one is published',
  expired: 'The domain has expired, so queries for it get SERVFAIL',
  none: 'The primaries have not provided the domain yet, so queries for it get SERVFAIL',
};

/** Longest wait of one request. Nameservers that have started since are included in the next one. */
const ROUND_SECONDS = 2;
const PAUSE_MS = 200;
const WAIT_SECONDS = 15;

type Publication = Awaited<ReturnType<Client['domains']['publication']>>;

/**
 * Waits until all running nameservers have the change, including those that start in the meantime, or until the time
 * limit.
 */
async function awaitPublication(
  { client, reading }: Session,
  { id, serial }: { readonly id: string; readonly serial: number },
  wait: number,
): Promise<Publication> {
  const until = Date.now() + wait * 1000;
  for (;;) {
    const left = Math.ceil((until - Date.now()) / 1000);
    const round = { ...reading, wait: Math.max(1, Math.min(left, ROUND_SECONDS)) };
    const publication = await client.domains.publication(id, serial, left > 0 ? round : reading);
    if (publication.state === 'published' || Date.now() >= until) return publication;
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    reading.signal.throwIfAborted();
  }
}
