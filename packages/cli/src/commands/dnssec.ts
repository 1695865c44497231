import { setTimeout as pause } from 'node:timers/promises';
import type { Answer, Output } from '@zonewright/client';
import { CommandEnd, InputError } from '@zonewright/terminal';
import { type Command, Option } from 'commander';
import { confirm, EXIT, type Host, marksFor, readFileOrStdin } from '../command/host.js';
import { commandGroup, PROGRAM, userCommand, writeCommand } from '../command/user-command.js';
import { type Session, withSession } from '../session/session.js';

/** Time limit. The signer reacts within a second, unless the domain is large. */
const PATIENCE_MS = 15_000;
const PAUSE_MS = 200;

export function dnssecCommands(host: Host): Command {
  return commandGroup(
    'dnssec',
    'DNSSEC of a domain: DS record for the registrar, keys and status',
    [show(host), sign(host), rollover(host), foreignKeys(host), leave(host)],
    'dnssec sign example.com',
  );
}

function show(host: Host): Command {
  return userCommand(
    'show',
    'show whether a domain is signed, its DS record, and what is missing',
    'dnssec show example.com',
  )
    .argument('<domain>', 'domain name or ID')
    .action(
      withSession(host, async (session, domain: string) => {
        const { value } = await session.client.domains.get(domain, session.reading);
        const dnssec = await getDnssec(session, value.id);
        session.output.text(renderDnssec(host, value.name, dnssec), dnssec);
      }),
    );
}

function sign(host: Host): Command {
  return writeCommand(
    'sign',
    'sign a domain; then add its DS record at the registrar',
    'dnssec sign example.com',
    'dnssec sign example.com --algorithm 15',
  )
    .argument('<domain>', 'domain name or ID')
    .addOption(
      new Option(
        '--algorithm <number>',
        '13 (ECDSA P-256, default) or 15 (Ed25519); changes the algorithm of a signed domain',
      ).choices(['13', '15']),
    )
    .action(
      withSession(
        host,
        async (session, domain: string, options: { algorithm?: string } & Waiting) => {
          const body = { enabled: true as const, ...algorithmOf(options) };
          await change(session, domain, options, {
            ask: ({ client }, path, each) => client.call('enableDnssec', { path, body }, each),
            isDone: ({ state }) => state === 'signed',
          });
        },
      ),
    );
}

function algorithmOf({ algorithm }: { readonly algorithm?: string }): { algorithm?: 13 | 15 } {
  if (algorithm === undefined) return {};
  return { algorithm: algorithm === '15' ? 15 : 13 };
}

function rollover(host: Host): Command {
  return writeCommand(
    'rollover',
    'replace the signing key of a domain',
    'dnssec rollover example.com',
  )
    .argument('<domain>', 'domain name or ID')
    .option('--yes', 'do not ask for confirmation')
    .action(
      withSession(host, async (session, domain: string, options: { yes?: boolean } & Waiting) => {
        await confirm(
          host,
          options,
          `You must then replace the DS record at the registrar. Replace the signing key of ${domain}?`,
        );
        await change(session, domain, options, {
          ask: ({ client }, path, each) => client.call('rollDnssecKey', { path }, each),
          // The steps take hours, and the first one may have to wait.
          isDone: () => true,
        });
        session.suggest(
          `Key replacement started. Follow its progress with: ${PROGRAM} dnssec show ${domain}`,
        );
      }),
    );
}

interface ForeignKeyOptions extends Waiting {
  readonly none?: boolean;
  readonly force?: boolean;
}

function foreignKeys(host: Host): Command {
  return writeCommand(
    'foreign-keys',
    'set the keys of another provider while a domain moves, and sign the domain',
    'dnssec foreign-keys example.com "257 3 13 mdsswUyr3DPW132mOi8V9xESWE8jTo0d..."',
    'dnssec foreign-keys example.com - < keys.txt',
    'dnssec foreign-keys example.com --none',
  )
    .argument('<domain>', 'domain name or ID')
    .argument('[dnskeys...]', 'DNSKEY data in quotes; - reads one per line from standard input')
    .option('--none', 'remove the keys, once the parent zone no longer has their DS records')
    .option(
      '--force',
      'remove keys at once; resolvers that cached data of the other provider fail validation',
    )
    .action(
      withSession(
        host,
        async (session, domain: string, dnskeys: string[], options: ForeignKeyOptions) => {
          const { none = false, force = false } = options;
          const wanted = await readDnskeys(host, dnskeys);
          if (none === wanted.length > 0) {
            throw new InputError('specify the DNSKEYs of the other provider, or --none');
          }
          await change(session, domain, options, {
            ask: ({ client }, path, each) => {
              const body = { enabled: true as const, foreign_keys: wanted };
              return client.call(
                'enableDnssec',
                { path, body, query: force ? { force } : {} },
                each,
              );
            },
            isDone: ({ state, foreign_keys: keys }) =>
              state === 'signed' && areAsWanted(keys, wanted.length, force),
          });
        },
      ),
    );
}

/** Whether the service has the keys that the user requested. Keys that are being removed are ignored. */
function areAsWanted(keys: Dnssec['foreign_keys'], wanted: number, force: boolean): boolean {
  const staying = keys.filter(({ state }) => state === 'published');
  return (
    staying.length === wanted &&
    keys.every(({ state }) => state !== 'coming' && !(force && state === 'leaving'))
  );
}

function leave(host: Host): Command {
  return writeCommand(
    'leave',
    'stop signing a domain once its parent has no DS record',
    'dnssec leave example.com',
  )
    .argument('<domain>', 'domain name or ID')
    .option(
      '--force',
      'stop at once; while the registrar has a DS record, validating resolvers fail',
    )
    .option('--yes', 'do not ask for confirmation')
    .action(
      withSession(
        host,
        async (session, domain: string, options: { yes?: boolean; force?: boolean } & Waiting) => {
          const force = options.force === true;
          await confirm(host, options, `Stop signing ${domain}${force ? ' at once' : ''}?`);
          await change(session, domain, options, {
            ask: ({ client }, path, each) =>
              client.call('disableDnssec', { path, query: force ? { force } : {} }, each),
            isDone: ({ state }) => !force || state === 'unsigned',
          });
        },
      ),
    );
}

interface Waiting {
  readonly wait?: boolean;
}

interface Asked {
  readonly ask: (
    session: Session,
    path: { readonly domainId: string },
    options: object,
  ) => Promise<Answer<Dnssec>>;
  /** Whether the signer has started the request, so that its state can be shown. */
  readonly isDone: (dnssec: Dnssec) => boolean;
}

/**
 * Sends a DNSSEC request and waits until the signer has finished it. Changes of the signer have no serial in the history, so `publish`
 * cannot wait for them.
 *
 * @throws CommandEnd if it is not finished in time
 */
async function change(
  session: Session,
  domain: string,
  { wait }: Waiting,
  { ask, isDone }: Asked,
): Promise<void> {
  const { client, output, reading, write } = session;
  const { value } = await client.domains.get(domain, reading);
  const { id, name } = value;
  // The command waits for the signer instead.
  await write(name, ({ wait: _wait, ...each }) => ask(session, { domainId: id }, each));
  const until = Date.now() + (wait === false ? 0 : PATIENCE_MS);
  let dnssec = await getDnssec(session, id);
  while (!isDone(dnssec) && Date.now() < until) {
    await pause(PAUSE_MS, undefined, { signal: reading.signal });
    dnssec = await getDnssec(session, id);
  }
  output.done(renderDnssec(session.host, name, dnssec).join('\n'), dnssec);
  if (wait === false || isDone(dnssec)) return;
  output.remark(
    `It has not finished yet. Follow its progress with: ${PROGRAM} dnssec show ${name}`,
  );
  throw new CommandEnd(EXIT.notPublished);
}

async function getDnssec({ client, reading }: Session, domainId: string): Promise<Dnssec> {
  return (await client.call('getDnssec', { path: { domainId } }, reading)).value;
}

/** Reads DNSKEY data. Lines of `dig` and of zone files are accepted: the part before the flags is dropped. */
async function readDnskeys(host: Host, given: readonly string[]): Promise<string[]> {
  if (given.length !== 1 || given[0] !== '-') return [...given];
  const lines = (await readFileOrStdin(host, '-')).split('\n');
  return lines
    .map((line) =>
      line
        .replace(/;.*$/, '')
        .replace(/^.*\sDNSKEY\s+/i, '')
        .trim(),
    )
    .filter((line) => line !== '');
}

type Dnssec = Output<'getDnssec'>;

/** Renders the state. Values for a registrar or another provider have their own lines, so that they can be copied. */
function renderDnssec(host: Host, name: string, dnssec: Dnssec): string[] {
  const { state, ds, dnskey, keys, foreign_keys: foreign, missing } = dnssec;
  const { good, warning } = marksFor(host);
  const head = state === 'unsigned' ? `${name} is not signed.` : `${name} ${state}`;
  const end = state === 'signed' ? [`${good} no problems`] : [];
  return [
    head,
    ...ds.map((each) => `  DS      ${each}`),
    ...dnskey.map((each) => `  DNSKEY  ${each}`),
    ...keys.map((key) => `  key ${key.key_tag}, algorithm ${key.algorithm}, ${key.state}`),
    ...foreign.map((key) => `  key ${key.key_tag} of the other provider, ${key.state}`),
    ...(missing === null ? end : [`${warning} ${missing}`]),
  ];
}
