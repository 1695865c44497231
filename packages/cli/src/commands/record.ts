import { NotFoundError, type ZoneRecord } from '@zonewright/client';
import { type Column, InputError } from '@zonewright/terminal';
import type { Command } from 'commander';
import { confirm, type Host } from '../command/host.js';
import { commandGroup, listCommand, PROGRAM, writeCommand } from '../command/user-command.js';
import { followRecords, isServed, listRecords, NAME } from '../record/list-records.js';
import { FLAG_COLUMNS } from '../record/flags.js';
import { compareRecords, renderRecord, toRecords } from '../record/names.js';
import { withSession } from '../session/session.js';
import { replaceCommand } from './record-replace.js';
import { addCommand, setCommand } from './record-write.js';

export function recordCommands(host: Host): Command {
  return commandGroup(
    'record',
    'manage records',
    [
      list(host),
      addCommand(host),
      setCommand(host),
      remove(host),
      find(host),
      replaceCommand(host),
    ],
    'record add example.com www A 192.0.2.1',
  );
}

function list(host: Host): Command {
  return listCommand(
    'list',
    'list the records of a domain',
    'record list example.com',
    'record list example.com --name www --type A',
    'record list example.com --all',
  )
    .argument('<domain>', 'domain name or ID')
    .option('--name <name>', `records of this name only: ${NAME}`)
    .option('--type <type>', 'records of this type only')
    .option('--tag <tag>', 'records with this tag only; implies --all')
    .option('--all', 'include disabled records, and show tags and expiry')
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
          await session.output.stream(shown(), columnsOf(isWhole), compareRecords);
          if (off > 0) {
            session.suggest(`${off} more disabled: ${PROGRAM} record list ${value.name} --all`);
          }
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
    'delete records; asks before deleting more than one',
    'record delete example.com www A 192.0.2.1',
    'record delete example.com www --yes',
  )
    .argument('<domain>', 'domain name or ID')
    .argument('<name>', NAME)
    .argument('[type]', 'records of this type only')
    .argument('[data...]', 'only the record with this data')
    .option('--yes', 'do not ask for confirmation')
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
              `${value.name} has no such record. See ${PROGRAM} record list ${value.name}`,
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
          output.done(lines.map((line) => `Record deleted: ${line}`).join('\n'), found);
        },
      ),
    );
}

interface FindOptions {
  readonly type?: string;
  readonly tag?: string;
  readonly all?: boolean;
}

function find(host: Host): Command {
  return listCommand(
    'find',
    'find records in all domains by name, data, description or tag',
    'record find 192.0.2.1',
    'record find example.net --type CNAME',
    'record find --tag office',
  )
    .argument('[text]', 'part of the name, data or description')
    .option('--type <type>', 'records of this type only')
    .option('--tag <tag>', 'records with this tag only; implies --all')
    .option('--all', 'include disabled records, and show tags and expiry')
    .action(
      withSession(
        host,
        async ({ client, output, reading }, text: string | undefined, options: FindOptions) => {
          const { type, tag, all } = options;
          if (text === undefined && tag === undefined) {
            throw new InputError('specify a text to search for, or --tag');
          }
          const wanted = { text, tag, type: type?.toUpperCase(), extended: all };
          const found = client.findRecords(wanted, reading);
          const isWhole = all === true || tag !== undefined;
          await output.stream(found, columnsOf(isWhole), compareRecords);
        },
      ),
    );
}

/** Returns the columns of a table. Properties beyond DNS are shown on request. */
function columnsOf(isWhole: boolean) {
  const flags = FLAG_COLUMNS.map((column) => ({ ...column, isDetail: !isWhole }));
  return [...RECORD_COLUMNS, ...flags];
}

const RECORD_COLUMNS: readonly Column<ZoneRecord>[] = [
  { title: 'Name', member: 'name' },
  { title: 'TTL', member: 'ttl', none: 'default' },
  { title: 'Type', member: 'type' },
  { title: 'Priority', member: 'priority', none: '' },
  { title: 'Data', member: 'data', isCut: true },
];
