import { NotFoundError, readAll, type RecordContent, type ZoneRecord } from '@zonewright/client';
import { InputError, parseCount } from '@zonewright/terminal';
import type { Command } from 'commander';
import { confirm } from '../command/confirm.js';
import type { Host } from '../command/host.js';
import { type Session, withSession } from '../session/session.js';
import { commandGroup, listCommand, PROGRAM, writeCommand } from '../command/user-command.js';
import { compareRecords, renderRecord, toOwnerName, toRecords } from './names.js';
import { planSet } from './plan-set.js';
import { replaceCommand } from './replace-command.js';
import { type FlagOptions, toFlags, withFlagOptions } from './flags.js';
import { FLAG_COLUMNS, RECORD_COLUMNS } from './record-columns.js';

export function recordCommands(host: Host): Command {
  return commandGroup(
    'record',
    'records: look at, make, replace, delete, find',
    [list(host), add(host), set(host), remove(host), find(host), replaceCommand(host)],
    'record add example.com www A 192.0.2.1',
  );
}

const NAME = 'www, @ for the domain itself, or the whole name';
const DATA = 'what a zone file has there; several addresses are several records';

function list(host: Host): Command {
  return listCommand(
    'list',
    'the records of a domain',
    'record list example.com',
    'record list example.com --name www --type A',
    'record list example.com --all',
  )
    .argument('<domain>', 'its name or id')
    .option('--name <name>', `only those of a name: ${NAME}`)
    .option('--type <type>', 'only those of a type')
    .option('--tag <tag>', 'only those with a tag, with all that --all shows')
    .option('--all', 'those that are switched off, too, and tags and ends of all')
    .action(
      withSession(
        host,
        async (
          session,
          domain: string,
          options: { name?: string; type?: string; tag?: string; all?: boolean },
        ) => {
          const { value } = await session.client.domains.get(domain, session.reading);
          const isWhole = options.all === true || options.tag !== undefined;
          let off = 0;
          async function* shown() {
            for await (const record of followRecords(session, value, options)) {
              if (isWhole || isServed(record)) yield record;
              else off += 1;
            }
          }
          const columns = FLAG_COLUMNS.map((column) => ({ ...column, isDetail: !isWhole }));
          await session.output.stream(shown(), [...RECORD_COLUMNS, ...columns], compareRecords);
          if (off > 0) {
            session.suggest(`${off} more switched off: ${PROGRAM} record list ${value.name} --all`);
          }
        },
      ),
    );
}

interface Wanted {
  readonly name?: string | undefined;
  readonly type?: string | undefined;
  readonly tag?: string | undefined;
}

interface Zone {
  readonly id: string;
  readonly name: string;
}

/** In the order of the service. */
function followRecords(
  { client, reading }: Session,
  zone: Zone,
  { name, type, tag }: Wanted,
): AsyncIterable<ZoneRecord> {
  const filter = {
    extended: true,
    ...(tag === undefined ? {} : { tag }),
    ...(name === undefined ? {} : { name: toOwnerName(name, zone.name) }),
    ...(type === undefined ? {} : { type: type.toUpperCase() }),
  };
  return client.records(zone.id).list(filter, reading);
}

async function listRecords(session: Session, zone: Zone, wanted: Wanted): Promise<ZoneRecord[]> {
  return (await readAll(followRecords(session, zone, wanted))).sort(compareRecords);
}

/** Nameservers answer with it. */
function isServed({ disabled }: ZoneRecord): boolean {
  return disabled !== true;
}

function add(host: Host): Command {
  const command = writeCommand(
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
    );
  return withFlagOptions(command).action(
    withSession(
      host,
      async (
        { client, output, reading, suggest, write },
        ...[domain, name, type, words, options]: [
          string,
          string,
          string,
          string[],
          FlagOptions & { ttl?: number },
        ]
      ) => {
        const { ttl } = options;
        const flags = toFlags(options);
        const { value } = await client.domains.get(domain, reading);
        const records = toRecords(value.name, { name, type, words, ttl }).map((record) => ({
          ...record,
          ...flags,
        }));
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
  const command = writeCommand(
    'set',
    'make the records of a name and type what is given, in the place of those that are there',
    'record set example.com www A 192.0.2.1 192.0.2.2',
    'record set example.com www A 192.0.2.1 --ttl 60',
    'record set example.com www A --disable',
    'record set example.com www A --expires 30d --tag office,test',
  )
    .argument('<domain>', 'its name or id')
    .argument('<name>', NAME)
    .argument('<type>', 'A, AAAA, CNAME, MX, TXT, SRV, NS, CAA, ...')
    .argument('[data...]', `${DATA}; without it those that are there stay`)
    .option(
      '--ttl <seconds>',
      'for how long its answers are kept (default: as before)',
      parseCount,
    );
  return withFlagOptions(command).action(
    withSession(
      host,
      async (
        session,
        ...[domain, name, type, words, options]: [
          string,
          string,
          string,
          string[],
          FlagOptions & { ttl?: number },
        ]
      ) => {
        const { client, output, reading, write } = session;
        const { ttl } = options;
        const flags = toFlags(options);
        const { value } = await client.domains.get(domain, reading);
        const all = await listRecords(session, value, { name, type });
        const given = words.length === 0 ? [] : toRecords(value.name, { name, type, words });
        const kept = { ...(ttl === undefined ? {} : { ttl }), ...flags };
        const isOfFlags = words.length === 0 || Object.keys(flags).length > 0;
        // Of flags those records are told that are named, and no other is touched; else what is switched off stays as it is.
        const present = isOfFlags
          ? all.filter(({ data }) => given.length === 0 || given.some((each) => each.data === data))
          : all.filter(isServed);
        const wanted = (
          isOfFlags
            ? requireSome(present, kept, { name, type, zone: value.name }).map(toContent)
            : given
        ).map((record) => ({ ...record, ...kept }));
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

/** @throws InputError, NotFoundError where nothing is said, or of nothing */
function requireSome(
  present: readonly ZoneRecord[],
  said: object,
  { name, type, zone }: { readonly name: string; readonly type: string; readonly zone: string },
): readonly ZoneRecord[] {
  if (Object.keys(said).length === 0) throw new InputError('write what the record shall say');
  if (present.length > 0) return present;
  throw new NotFoundError(
    `${zone} has no such ${type.toUpperCase()} record ${name}: ${PROGRAM} record list ${zone} --all`,
  );
}

function toContent({ name, type, data, ttl, priority }: ZoneRecord): RecordContent {
  return { name, type, data, ttl, priority };
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
  return listCommand(
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
          const found = client.findRecords(wanted, reading);
          await output.stream(found, RECORD_COLUMNS, compareRecords);
        },
      ),
    );
}
