import { writeFileSync } from 'node:fs';
import {
  type CallOptions,
  type Client,
  type Domain,
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
import { withSession } from '../session/session.js';

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
          const { email = `hostmaster@${name.replace(/\.$/, '')}`, ...rest } = options;
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

function importFile(host: Host): Command {
  return writeCommand(
    'import',
    'create a domain from a zone file',
    'domain import example.com.zone',
    'domain import export.txt --name example.com',
  )
    .argument('<file>', 'zone file; - reads standard input')
    .option('--name <name>', 'domain name (default: as in the file)')
    .option('--email <address>', 'contact e-mail (default: as in the file)')
    .action(
      withSession(
        host,
        async (
          { client, output, suggest, write },
          file: string,
          options: { name?: string; email?: string },
        ) => {
          const body = {
            zonefile: await readFileOrStdin(host, file),
            ...(options.name === undefined ? {} : { name: withDot(options.name) }),
            ...pick(options, ['email']),
            on_error: 'refuse' as const,
          };
          const { value } = await write(file, (each) => client.domains.importNew(body, each));
          for (const { line, reason } of value.not_taken) {
            output.remark(`line ${line} skipped: ${reason}`);
          }
          output.done(`Domain ${value.domain.name} created with ${value.created} records`, value);
          suggest(`Next: ${PROGRAM} check ${value.domain.name}`);
        },
      ),
    );
}

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
  const [found, ...others] = deleted.filter((domain) => domain.name === name);
  const listed = `${PROGRAM} domain list --deleted`;
  if (found === undefined) {
    throw new NotFoundError(`there is no deleted domain ${name}. See ${listed}`);
  }
  if (others.length === 0) return found.id;
  throw new InputError(`${name} was deleted several times. Use an ID from ${listed}`);
}
