import { writeFileSync } from 'node:fs';
import {
  type CallOptions,
  type Client,
  defaultEmail,
  type Domain,
  type ImportResult,
  type ListedDomain,
  NotFoundError,
  readAll,
} from '@zonewright/client';
import { type Column, InputError, parseCount } from '@zonewright/terminal';
import type { Command } from 'commander';
import { confirm, type Host, readFileOrStdin } from '../command/host.js';
import {
  commandGroup,
  listCommand,
  PROGRAM,
  userCommand,
  writeCommand,
} from '../command/user-command.js';
import { withDot } from '../record/names.js';
import { type Session, withSession } from '../session/session.js';
import {
  type Columns,
  COLUMNS_HELP,
  parseColumns,
  readInput,
  toNewDomain,
} from '../zonefile/plan.js';

export function domainCommands(host: Host): Command {
  return commandGroup(
    'domain',
    'manage domains',
    [
      list(host),
      add(host),
      show(host),
      set(host),
      remove(host),
      restore(host),
      exportFile(host),
      importFile(host),
    ],
    'domain add example.com',
  );
}

function list(host: Host): Command {
  return listCommand(
    'list',
    'list the domains of the project',
    'domain list',
    'domain list --search shop',
    'domain list --deleted',
    'domain list --columns name,serial',
    'domain list --jsonl',
  )
    .option('--search <text>', 'text in the name or description')
    .option('--deleted', 'list deleted domains that can be restored')
    .action(
      withSession(
        host,
        async (
          { client, output, reading },
          { deleted = false, search }: { deleted?: boolean; search?: string },
        ) => {
          const wanted = { deleted, ...(search === undefined ? {} : { q: search }) };
          const domains = client.domains.list(reading, wanted);
          if (deleted) await output.stream(domains, DELETED_COLUMNS);
          else await output.stream(domains, DOMAIN_COLUMNS);
        },
      ),
    );
}

interface AddOptions {
  readonly email?: string;
  readonly ttl?: number;
  readonly description?: string;
}

function add(host: Host): Command {
  return writeCommand(
    'add',
    'create a domain',
    'domain add example.com',
    'domain add example.com --email admin@example.com --ttl 300',
  )
    .alias('create')
    .argument('<name>', 'domain name, with or without the trailing dot')
    .option('--email <address>', 'contact e-mail (default: hostmaster@DOMAIN)')
    .option('--ttl <seconds>', 'default TTL of records in seconds (default: 3600)', parseCount)
    .option('--description <text>', 'description')
    .action(
      withSession(
        host,
        async ({ client, output, reading, suggest, write }, name: string, options: AddOptions) => {
          const { email = defaultEmail(name), ...rest } = options;
          const body = { name: withDot(name), email, ...pick(rest, ['ttl', 'description']) };
          const { value } = await write(body.name, (each) => client.domains.create(body, each));
          const servers = await client.domains.servers(value.id, reading);
          output.done(`Domain ${value.name} created`, value);
          const names = servers.map((server) => server.name).join(' ');
          suggest(`Enter these nameservers at your registrar: ${names}`);
          suggest(`Next: ${PROGRAM} record add ${name} www A 192.0.2.1`);
        },
      ),
    );
}

function show(host: Host): Command {
  return userCommand('show', 'show a domain and its nameservers', 'domain show example.com')
    .argument('<domain>', 'domain name or ID')
    .action(
      withSession(host, async ({ client, output, reading }, domain: string) => {
        const { value } = await client.domains.get(domain, reading);
        const servers = await client.domains.servers(value.id, reading);
        output.item({ ...value, nameservers: servers.map(({ name }) => name) }, [
          ...DOMAIN_COLUMNS,
          { title: 'Nameservers', member: 'nameservers' },
        ]);
      }),
    );
}

function set(host: Host): Command {
  return writeCommand(
    'set',
    'change e-mail, TTL or description of a domain',
    'domain set example.com --ttl 300',
    'domain set example.com --email admin@example.com --description "the shop"',
  )
    .argument('<domain>', 'domain name or ID')
    .option('--email <address>', 'contact e-mail')
    .option('--ttl <seconds>', 'default TTL of records in seconds', parseCount)
    .option('--description <text>', 'description; "" removes it')
    .action(
      withSession(
        host,
        async ({ client, output, reading, write }, domain: string, options: AddOptions) => {
          const said = pick(options, ['email', 'ttl', 'description']);
          if (Object.keys(said).length === 0) {
            throw new InputError('specify --email, --ttl or --description');
          }
          const { value, etag } = await client.domains.get(domain, reading);
          const changed = await write(value.name, (each) =>
            client.domains.update(value.id, said, { ...each, ifMatch: etag }),
          );
          output.done(`Domain ${value.name} changed`, changed.value);
        },
      ),
    );
}

function remove(host: Host): Command {
  return writeCommand(
    'delete',
    'delete a domain; `domain restore` brings it back',
    'domain delete example.com',
    'domain delete example.com --yes',
  )
    .argument('<domain>', 'domain name or ID')
    .option('--yes', 'do not ask for confirmation')
    .action(
      withSession(
        host,
        async (
          { client, output, reading, suggest, write },
          domain: string,
          options: { yes?: boolean },
        ) => {
          const { value, etag } = await client.domains.get(domain, reading);
          await confirm(host, options, `Delete ${value.name} with all of its records?`);
          await write(value.name, (each) =>
            client.domains.delete(value.id, { ...each, ifMatch: etag }),
          );
          output.done(`Domain ${value.name} deleted`, { id: value.id, name: value.name });
          suggest(`To restore it: ${PROGRAM} domain restore ${value.id}`);
        },
      ),
    );
}

function restore(host: Host): Command {
  return writeCommand(
    'restore',
    'restore a deleted domain',
    'domain restore example.com',
    'domain restore 5d3c1a52-6f0e-4a53-9c0e-0f5b7f3f8a11',
  )
    .alias('undelete')
    .argument('<domain>', 'domain name, or ID as `domain list --deleted` shows it')
    .action(
      withSession(host, async ({ client, output, reading, write }, domain: string) => {
        const id = await findDeleted(client, domain, reading);
        const { value } = await write(domain, (each) => client.domains.undelete(id, each));
        output.done(`Domain ${value.name} restored`, value);
      }),
    );
}

function exportFile(host: Host): Command {
  return userCommand(
    'export',
    'export a domain as a zone file',
    'domain export example.com > example.com.zone',
  )
    .argument('<domain>', 'domain name or ID')
    .option('--output <file>', 'write to this file instead of standard output')
    .action(
      withSession(
        host,
        async ({ client, output, reading }, domain: string, options: { output?: string }) => {
          const { value } = await client.domains.get(domain, reading);
          const zonefile = await client.domains.export(value.id, reading);
          if (options.output === undefined) {
            output.text(zonefile.replace(/\n$/, '').split('\n'), { name: value.name, zonefile });
            return;
          }
          writeFileSync(options.output, zonefile);
          output.done(`Wrote ${options.output}`, { name: value.name, file: options.output });
        },
      ),
    );
}

interface ImportOptions {
  readonly domain?: string;
  readonly email?: string;
  readonly skipRefused?: boolean;
  readonly columns?: Columns;
}

function importFile(host: Host): Command {
  return writeCommand(
    'import',
    'create domains from zone files, or from files of other providers',
    'domain import example.com.zone',
    'domain import *.zone --skip-refused',
    'domain import export.csv --domain example.com',
    'domain import export.csv --domain example.com --columns name,-,type,data',
  )
    .argument('<file...>', 'files, one domain each; - reads standard input')
    .option('--domain <name>', 'domain name (default: from the file)')
    .option('--email <address>', 'contact e-mail (default: from the file)')
    .option('--skip-refused', 'leave out lines that cannot be imported')
    .option('--columns <list>', COLUMNS_HELP, parseColumns)
    .action(
      withSession(host, async (session, files: string[], options: ImportOptions) => {
        if (files.length > 1 && options.domain !== undefined) {
          throw new InputError('--domain names the domain of one file. Give the files one by one.');
        }
        const done: Awaited<ReturnType<typeof importOne>>[] = [];
        try {
          for (const [at, file] of files.entries()) {
            if (files.length > 1) session.output.remark(`${file} (${at + 1} of ${files.length})`);
            done.push(await importOne(session, file, options));
          }
        } finally {
          // If a file is rejected, the domains of earlier files already exist.
          showImported(session.output, done);
        }
      }),
    );
}

function showImported(
  output: Session['output'],
  done: readonly { readonly sentence: string; readonly result: ImportResult }[],
): void {
  const [first, ...others] = done;
  if (first !== undefined && others.length === 0) output.done(first.sentence, first.result);
  else if (done.length > 0) output.doneAll(done);
}

/** Creates the domain of one file. @throws InputError if the file does not name it */
async function importOne(
  { host, client, output, reading, suggest, write }: Session,
  file: string,
  { domain, email, skipRefused = false, columns }: ImportOptions,
) {
  const zonefile = await readFileOrStdin(host, file);
  const read = await readInput(client, { zonefile, domain, columns }, reading.signal);
  const input = { ...read, email: email ?? read.email, merges: true, skips: skipRefused };
  const { form, record_count: count } = read.file;
  if (form !== 'bind') output.remark(`File format: ${form}`);
  if (count > LONG_IMPORT) output.remark(`Importing ${count} records of ${read.domain}`);
  const { value } = await write(file, (each) => client.domains.importNew(toNewDomain(input), each));
  for (const { line, reason } of value.not_taken) {
    output.remark(`line ${line} skipped: ${reason}`);
  }
  for (const { line, reason } of value.notes) output.remark(`line ${line}: ${reason}`);
  suggest(`Next: ${PROGRAM} check ${value.domain.name}`);
  const sentence = `Domain ${value.domain.name} created with ${value.created} records`;
  return { sentence, result: value };
}

/** Number of records above which an import takes so long that it is announced. */
const LONG_IMPORT = 5_000;

/** Copies the members that are present. */
function pick<T extends object, K extends keyof T>(from: T, members: readonly K[]) {
  return Object.fromEntries(
    members.filter((member) => from[member] !== undefined).map((member) => [member, from[member]]),
  ) as { [M in K]?: Exclude<T[M], undefined> };
}

const DOMAIN_COLUMNS: readonly Column<Domain>[] = [
  { title: 'Name', member: 'name' },
  { title: 'ID', member: 'id' },
  { title: 'E-mail', member: 'email', isDetail: true },
  { title: 'TTL', member: 'ttl' },
  { title: 'Serial', member: 'serial' },
  { title: 'Description', member: 'description', isDetail: true },
  { title: 'Created', member: 'created_at', isDetail: true },
  { title: 'Changed', member: 'updated_at', isDetail: true },
];

const DELETED_COLUMNS: readonly Column<ListedDomain>[] = [
  { title: 'Name', member: 'name' },
  { title: 'ID', member: 'id' },
  { title: 'Deleted', member: 'deleted_at' },
];

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * Finds the id of a deleted domain. Several deleted domains may have the same name. @throws InputError, NotFoundError
 */
async function findDeleted(
  client: Client,
  idOrName: string,
  reading: CallOptions,
): Promise<string> {
  if (UUID.test(idOrName)) return idOrName;
  const name = withDot(idOrName).toLowerCase();
  const deleted = await readAll(client.domains.list(reading, { deleted: true }));
  const [found, ...others] = deleted.filter((domain) => domain.name.toLowerCase() === name);
  const listed = `${PROGRAM} domain list --deleted`;
  if (found === undefined) {
    throw new NotFoundError(`there is no deleted domain ${name} to restore. See ${listed}`);
  }
  if (others.length === 0) return found.id;
  throw new InputError(`${name} was deleted several times. Use an ID from ${listed}`);
}
