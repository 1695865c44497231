import { NotFoundError, type RecordContent, type ZoneRecord } from '@zonewright/client';
import { InputError, parseCount } from '@zonewright/terminal';
import type { Command } from 'commander';
import { type Host, marksFor } from '../command/host.js';
import { PROGRAM, writeCommand } from '../command/user-command.js';
import { type FlagOptions, type Flags, toFlags, withFlagOptions } from '../record/flags.js';
import { isServed, listRecords, NAME } from '../record/list-records.js';
import { renderRecord, toRecords } from '../record/names.js';
import { planSet } from '../record/plan-set.js';
import { type Session, withSession } from '../session/session.js';

interface Typed {
  readonly zone: { readonly id: string; readonly name: string };
  readonly name: string;
  readonly type: string;
  /** Empty if no data was given. */
  readonly given: readonly RecordContent[];
  /** TTL and flags for all records, if they were given. */
  readonly said: Flags & { readonly ttl?: number };
  readonly hasFlags: boolean;
}

interface RecordWrite {
  readonly name: string;
  readonly summary: string;
  readonly examples: readonly string[];
  /** Name and description of the argument. */
  readonly data: readonly [string, string];
  /** Help text for the default TTL. */
  readonly ttl: string;
  readonly perform: (session: Session, typed: Typed) => Promise<void>;
}

/** Creates a command that takes one record, or several of one name and type, in the syntax of zone files. */
function recordWriteCommand(
  host: Host,
  { name, summary, examples, data: [data, remark], ttl, perform }: RecordWrite,
): Command {
  const command = writeCommand(name, summary, ...examples)
    .argument('<domain>', 'domain name or ID')
    .argument('<name>', NAME)
    .argument('<type>', 'A, AAAA, CNAME, MX, TXT, SRV, NS, CAA, ...')
    .argument(data, `data as in a zone file; each address becomes a record${remark}`)
    .option('--ttl <seconds>', `TTL in seconds (default: ${ttl})`, parseCount);
  type Arguments = [string, string, string, string[], FlagOptions & { readonly ttl?: number }];
  return withFlagOptions(command).action(
    withSession(host, async (session, ...[domain, owner, type, words, options]: Arguments) => {
      const flags = toFlags(options);
      const { value: zone } = await session.client.domains.get(domain, session.reading);
      const record = { name: owner, type, words };
      await perform(session, {
        ...{ zone, name: owner, type },
        given: words.length === 0 ? [] : toRecords(zone.name, record),
        said: { ...(options.ttl === undefined ? {} : { ttl: options.ttl }), ...flags },
        hasFlags: Object.keys(flags).length > 0,
      });
    }),
  );
}

export function addCommand(host: Host): Command {
  return recordWriteCommand(host, {
    name: 'add',
    summary: 'add a record and keep existing ones',
    examples: [
      'record add example.com www A 192.0.2.1',
      'record add example.com @ MX 10 mail',
      'record add example.com @ TXT "v=spf1 mx -all" --ttl 300',
    ],
    data: ['<data...>', ''],
    ttl: "the domain's",
    perform: async (session, { zone, given, said }) => {
      const { client, output, suggest, write } = session;
      const records = given.map((record) => ({ ...record, ...said }));
      const operations = records.map((record) => ({ action: 'create' as const, record }));
      const answer = await write(records.map(renderRecord).join(', '), (each) =>
        client.records(zone.id).change(operations, each),
      );
      const made = answer.value.results.map(({ record }) => record as ZoneRecord);
      const text = made.map((record) => `Record added: ${renderRecord(record)}`).join('\n');
      output.done(text, made.length === 1 ? (made[0] as ZoneRecord) : made);
      await remarkOn(session, zone.id, records);
      suggest(`Next: ${PROGRAM} check ${zone.name}`);
    },
  });
}

export function setCommand(host: Host): Command {
  return recordWriteCommand(host, {
    name: 'set',
    summary: 'replace all records of a name and type',
    examples: [
      'record set example.com www A 192.0.2.1 192.0.2.2',
      'record set example.com www A 192.0.2.1 --ttl 60',
      'record set example.com www A --disable',
      'record set example.com www A --expires 30d --tag office,test',
    ],
    data: ['[data...]', '; without data, existing records are kept'],
    ttl: 'unchanged',
    perform: async (session, { zone, name, type, given, said, hasFlags }) => {
      const { client, output, write } = session;
      const all = await listRecords(session, zone, { name, type });
      const isOfFlags = given.length === 0 || hasFlags;
      // With flags, only the given records change. Without flags, disabled records are not changed.
      const present = isOfFlags
        ? all.filter(({ data }) => given.length === 0 || given.some((each) => each.data === data))
        : all.filter(isServed);
      const wanted = (
        isOfFlags
          ? requireSome(present, said, { name, type, zone: zone.name }).map(toContent)
          : given
      ).map((record) => ({ ...record, ...said }));
      const operations = planSet(present, wanted);
      const text = wanted.map(renderRecord).join('\n');
      if (operations.length === 0) {
        output.done(`No change: ${text}`, present);
        return;
      }
      const answer = await write(wanted.map(renderRecord).join(', '), (each) =>
        client.records(zone.id).change(operations, { ...each, confirm: true }),
      );
      output.done(`Record set: ${text.replaceAll('\n', '\nRecord set: ')}`, answer.value.results);
      await remarkOn(session, zone.id, wanted);
    },
  });
}

/** Prints what a check finds about records that were written. Whether they were written does not depend on it. */
async function remarkOn(
  { client, host, output, reading }: Session,
  domainId: string,
  records: readonly RecordContent[],
): Promise<void> {
  const body = { records: records.slice(0, MOST_CHECKED) };
  const findings = await client.domains.checkRecords(domainId, body, reading).catch(() => []);
  const { warning } = marksFor(host);
  for (const { message, action } of findings) output.remark(`${warning} ${message}\n    ${action}`);
}

/** Maximum number of records in one check. */
const MOST_CHECKED = 100;

/** @throws InputError if neither data nor flags are given; NotFoundError if there are no such records */
function requireSome(
  present: readonly ZoneRecord[],
  said: object,
  { name, type, zone }: { readonly name: string; readonly type: string; readonly zone: string },
): readonly ZoneRecord[] {
  if (Object.keys(said).length === 0) throw new InputError('specify the data of the record');
  if (present.length > 0) return present;
  throw new NotFoundError(
    `${zone} has no ${type.toUpperCase()} record ${name}. See ${PROGRAM} record list ${zone} --all`,
  );
}

function toContent({ name, type, data, ttl, priority }: ZoneRecord): RecordContent {
  return { name, type, data, ttl, priority };
}
