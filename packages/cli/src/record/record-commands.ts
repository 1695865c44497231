import { NotFoundError, readAll, type ZoneRecord } from '@zonewright/client';
import { parseCount } from '@zonewright/terminal';
import type { Command } from 'commander';
import { confirm } from '../command/confirm.js';
import type { Host } from '../command/host.js';
import { type Session, withSession } from '../session/session.js';
import { commandGroup, PROGRAM, userCommand, writeCommand } from '../command/user-command.js';
import { compareRecords, renderRecord, toOwnerName, toRecords } from './names.js';
import { planSet } from './plan-set.js';
import { RECORD_COLUMNS } from './record-columns.js';

export function recordCommands(host: Host): Command {
  return commandGroup(
    'record',
    'records: look at, make, replace, delete, find',
    [list(host), add(host), set(host), remove(host), find(host)],
    'record add example.com www A 192.0.2.1',
  );
}

const NAME = 'www, @ for the domain itself, or the whole name';
const DATA = 'what a zone file has there; several addresses are several records';

function list(host: Host): Command {
  return userCommand(
    'list',
    'the records of a domain',
    'record list example.com',
    'record list example.com --name www --type A',
  )
    .argument('<domain>', 'its name or id')
    .option('--name <name>', `only those of a name: ${NAME}`)
    .option('--type <type>', 'only those of a type')
    .action(
      withSession(
        host,
        async (session, domain: string, options: { name?: string; type?: string }) => {
          const { value } = await session.client.domains.get(domain, session.reading);
          session.output.list(await listRecords(session, value, options), RECORD_COLUMNS);
        },
      ),
    );
}

async function listRecords(
  { client, reading }: Session,
  zone: { readonly id: string; readonly name: string },
  { name, type }: { readonly name?: string | undefined; readonly type?: string | undefined },
): Promise<ZoneRecord[]> {
  const filter = {
    ...(name === undefined ? {} : { name: toOwnerName(name, zone.name) }),
    ...(type === undefined ? {} : { type: type.toUpperCase() }),
  };
  return (await readAll(client.records(zone.id).list(filter, reading))).sort(compareRecords);
}

function add(host: Host): Command {
  return writeCommand(
    'add',
    'make a record, beside those that are there',
    'record add example.com www A 192.0.2.1',
    'record add example.com @ MX 10 mail',
    'record add example.com @ TXT "v=spf1 mx -all" --ttl 300',
  )
    .argument('<domain>', 'its name or id')
    .argument('<name>', NAME)
    .argument('<type>', 'A, AAAA, CNAME, MX, TXT, SRV, NS, CAA, ...')
    .argument('<data...>', DATA)
    .option(
      '--ttl <seconds>',
      "for how long its answers are kept (default: the domain's)",
      parseCount,
    )
    .action(
      withSession(
        host,
        async (
          { client, output, reading, suggest, write },
          ...[domain, name, type, words, { ttl }]: [
            string,
            string,
            string,
            string[],
            { ttl?: number },
          ]
        ) => {
          const { value } = await client.domains.get(domain, reading);
          const records = toRecords(value.name, { name, type, words, ttl });
          const operations = records.map((record) => ({ action: 'create' as const, record }));
          const answer = await write(records.map(renderRecord).join(', '), (each) =>
            client.records(value.id).change(operations, each),
          );
          const made = answer.value.results.map(({ record }) => record as ZoneRecord);
          const text = made.map((record) => `Added ${renderRecord(record)}`).join('\n');
          output.done(text, made.length === 1 ? (made[0] as ZoneRecord) : made);
          suggest(`Next: ${PROGRAM} check ${value.name}`);
        },
      ),
    );
}

function set(host: Host): Command {
  return writeCommand(
    'set',
    'make the records of a name and type what is given, in the place of those that are there',
    'record set example.com www A 192.0.2.1 192.0.2.2',
    'record set example.com www A 192.0.2.1 --ttl 60',
  )
    .argument('<domain>', 'its name or id')
    .argument('<name>', NAME)
    .argument('<type>', 'A, AAAA, CNAME, MX, TXT, SRV, NS, CAA, ...')
    .argument('<data...>', DATA)
    .option('--ttl <seconds>', 'for how long its answers are kept (default: as before)', parseCount)
    .action(
      withSession(
        host,
        async (
          session,
          ...[domain, name, type, words, { ttl }]: [
            string,
            string,
            string,
            string[],
            { ttl?: number },
          ]
        ) => {
          const { client, output, reading, write } = session;
          const { value } = await client.domains.get(domain, reading);
          const wanted = toRecords(value.name, { name, type, words, ttl });
          const present = await listRecords(session, value, { name, type });
          const operations = planSet(present, wanted);
          const text = wanted.map(renderRecord).join('\n');
          if (operations.length === 0) {
            output.done(`No change: ${text}`, present);
            return;
          }
          const answer = await write(wanted.map(renderRecord).join(', '), (each) =>
            client.records(value.id).change(operations, { ...each, confirm: true }),
          );
          output.done(`Set ${text.replaceAll('\n', '\nSet ')}`, answer.value.results);
        },
      ),
    );
}

interface RemoveOptions {
  readonly yes?: boolean;
}

function remove(host: Host): Command {
  return writeCommand(
    'delete',
    'delete records; more than one only after a question',
    'record delete example.com www A 192.0.2.1',
    'record delete example.com www --yes',
  )
    .argument('<domain>', 'its name or id')
    .argument('<name>', NAME)
    .argument('[type]', 'only those of this type')
    .argument('[data...]', 'only the one with this data')
    .option('--yes', 'do not ask')
    .action(
      withSession(
        host,
        async (
          session,
          ...[domain, name, type, words, options]: [
            string,
            string,
            string | undefined,
            string[],
            RemoveOptions,
          ]
        ) => {
          const { client, output, reading, write } = session;
          const { value } = await client.domains.get(domain, reading);
          const all = await listRecords(session, value, { name, type });
          const [wanted] =
            type === undefined || words.length === 0
              ? []
              : toRecords(value.name, { name, type, words });
          const found = wanted === undefined ? all : all.filter(({ data }) => data === wanted.data);
          if (found.length === 0) {
            throw new NotFoundError(
              `there is no such record in ${value.name}: ${PROGRAM} record list ${value.name}`,
            );
          }
          const lines = found.map(renderRecord);
          if (found.length > 1) await confirm(host, options, `Delete ${lines.join(', ')}?`);
          const operations = found.map(({ id, version }) => ({
            action: 'delete' as const,
            id,
            if_version: version,
          }));
          await write(lines.join(', '), (each) =>
            client.records(value.id).change(operations, { ...each, confirm: true }),
          );
          output.done(lines.map((line) => `Deleted ${line}`).join('\n'), found);
        },
      ),
    );
}

function find(host: Host): Command {
  return userCommand(
    'find',
    'records of all domains whose name, data or description has a text in it',
    'record find 192.0.2.1',
    'record find example.net --type CNAME',
  )
    .argument('<text>', 'a part of the name, the data or the description')
    .option('--type <type>', 'only those of a type')
    .action(
      withSession(
        host,
        async ({ client, output, reading }, text: string, { type }: { type?: string }) => {
          const wanted = { text, type: type?.toUpperCase() };
          const found = await readAll(client.findRecords(wanted, reading));
          output.list(found.sort(compareRecords), RECORD_COLUMNS);
        },
      ),
    );
}
