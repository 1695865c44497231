import { NotFoundError, type RecordContent, type ZoneRecord } from '@zonewright/client';
import { InputError } from '@zonewright/terminal';
import type { Command } from 'commander';
import { PROGRAM } from '../command/user-command.js';
import type { Host } from '../command/host.js';
import { isServed, listRecords } from './list-records.js';
import { renderRecord } from './names.js';
import { planSet } from './plan-set.js';
import { recordWriteCommand } from './record-write-command.js';

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
      // With flags, only the given records change. Without flags, records that are switched off are kept.
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
      output.done(`Set ${text.replaceAll('\n', '\nSet ')}`, answer.value.results);
    },
  });
}

/** @throws InputError, NotFoundError where nothing is said, or of nothing */
function requireSome(
  present: readonly ZoneRecord[],
  said: object,
  { name, type, zone }: { readonly name: string; readonly type: string; readonly zone: string },
): readonly ZoneRecord[] {
  if (Object.keys(said).length === 0) throw new InputError('give the data of the record');
  if (present.length > 0) return present;
  throw new NotFoundError(
    `${zone} has no ${type.toUpperCase()} record ${name}. See ${PROGRAM} record list ${zone} --all`,
  );
}

function toContent({ name, type, data, ttl, priority }: ZoneRecord): RecordContent {
  return { name, type, data, ttl, priority };
}
