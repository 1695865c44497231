import { setTimeout as pause } from 'node:timers/promises';
import type { Answer } from '@zonewright/client';
import { CommandEnd, InputError } from '@zonewright/terminal';
import { type Command, Option } from 'commander';
import { confirm } from '../command/confirm.js';
import { EXIT } from '../command/exit-codes.js';
import type { Host } from '../command/host.js';
import { readFileOrStdin } from '../command/read-file.js';
import { commandGroup, PROGRAM, userCommand, writeCommand } from '../command/user-command.js';
import { type Session, withSession } from '../session/session.js';
import { type Dnssec, renderDnssec } from './render-dnssec.js';

/** The signer does within a second what it is asked for, unless the domain is large. */
const PATIENCE_MS = 15_000;
const PAUSE_MS = 200;

export function dnssecCommands(host: Host): Command {
  return commandGroup(
    'dnssec',
    'signed domains: the DS to hand in at the registrar, keys, and what is missing',
    [show(host), sign(host), rollover(host), foreignKeys(host), leave(host)],
    'dnssec sign example.com',
  );
}

function show(host: Host): Command {
  return userCommand(
    'show',
    'whether a domain is signed, the DS to hand in at the registrar, and what is missing',
    'dnssec show example.com',
  )
    .argument('<domain>', 'its name or id')
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
    'have a domain signed; then hand in its DS at the registrar',
    'dnssec sign example.com',
    'dnssec sign example.com --algorithm 15',
  )
    .argument('<domain>', 'its name or id')
    .addOption(
      new Option(
        '--algorithm <number>',
        '13 (ECDSA P-256, the default) or 15 (Ed25519); of a signed domain it is changed',
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
    'have the key of a domain replaced, say because others may know it',
    'dnssec rollover example.com',
  )
    .argument('<domain>', 'its name or id')
    .option('--yes', 'do not ask')
    .action(
      withSession(host, async (session, domain: string, options: { yes?: boolean } & Waiting) => {
        await confirm(
          host,
          options,
          `Another DS has to be handed in then. Replace the key of ${domain}?`,
        );
        await change(session, domain, options, {
          ask: ({ client }, path, each) => client.call('rollDnssecKey', { path }, each),
          // The steps take hours, and the first one may have to wait.
          isDone: () => true,
        });
        session.suggest(`It is replaced step by step: ${PROGRAM} dnssec show ${domain}`);
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
    'say which keys of another provider a domain has beside its own while it moves; all of them, others go. A domain that is not signed is signed',
    'dnssec foreign-keys example.com "257 3 13 mdsswUyr3DPW132mOi8V9xESWE8jTo0d..."',
    'dnssec foreign-keys example.com - < keys.txt',
    'dnssec foreign-keys example.com --none',
  )
    .argument('<domain>', 'its name or id')
    .argument(
      '[dnskeys...]',
      'each in quotes, as zone files have it; - is standard input, one a line',
    )
    .option('--none', 'take them out, once the parent shows no DS of them any more')
    .option('--force', 'what goes goes at once: bogus for those who remember data of the other')
    .action(
      withSession(
        host,
        async (session, domain: string, dnskeys: string[], options: ForeignKeyOptions) => {
          const { none = false, force = false } = options;
          const wanted = await readDnskeys(host, dnskeys);
          if (none === wanted.length > 0) {
            throw new InputError('write the DNSKEYs of the other provider, or --none');
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

/** Those that are not wanted are on their way, or gone. */
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
    'have a domain unsigned: it stays signed until its parent shows no DS any more',
    'dnssec leave example.com',
  )
    .argument('<domain>', 'its name or id')
    .option('--force', 'at once: with a DS at the registrar it is bogus then for all who validate')
    .option('--yes', 'do not ask')
    .action(
      withSession(
        host,
        async (session, domain: string, options: { yes?: boolean; force?: boolean } & Waiting) => {
          const force = options.force === true;
          await confirm(host, options, `Have ${domain} unsigned${force ? ' at once' : ''}?`);
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
  /** The signer has begun with what was asked for, and it can be told. */
  readonly isDone: (dnssec: Dnssec) => boolean;
}

/** Asks the signer for something, and waits until it is done: the steps of the signer are no changes by which `publish` could ask. @throws CommandEnd when it is not done in time */
async function change(
  session: Session,
  domain: string,
  { wait }: Waiting,
  { ask, isDone }: Asked,
): Promise<void> {
  const { client, output, reading, write } = session;
  const { value } = await client.domains.get(domain, reading);
  const { id, name } = value;
  // The signer makes the change that is waited for.
  await write(name, ({ wait: _wait, ...each }) => ask(session, { domainId: id }, each));
  const until = Date.now() + (wait === false ? 0 : PATIENCE_MS);
  let dnssec = await getDnssec(session, id);
  while (!isDone(dnssec) && Date.now() < until) {
    await pause(PAUSE_MS, undefined, { signal: reading.signal });
    dnssec = await getDnssec(session, id);
  }
  output.done(renderDnssec(session.host, name, dnssec).join('\n'), dnssec);
  if (wait === false || isDone(dnssec)) return;
  output.remark(`It is not done yet: ${PROGRAM} dnssec show ${name}`);
  throw new CommandEnd(EXIT.notPublished);
}

async function getDnssec({ client, reading }: Session, domainId: string): Promise<Dnssec> {
  return (await client.call('getDnssec', { path: { domainId } }, reading)).value;
}

/** Lines of `dig` and of zone files, too: what stands before the flags is left out. */
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
