import type { ZoneRecord } from '@zonewright/client';
import type { Command } from 'commander';
import { PROGRAM } from '../command/user-command.js';
import type { Host } from '../command/host.js';
import { renderRecord } from './names.js';
import { recordWriteCommand } from './record-write-command.js';

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
    perform: async ({ client, output, suggest, write }, { zone, given, said }) => {
      const records = given.map((record) => ({ ...record, ...said }));
      const operations = records.map((record) => ({ action: 'create' as const, record }));
      const answer = await write(records.map(renderRecord).join(', '), (each) =>
        client.records(zone.id).change(operations, each),
      );
      const made = answer.value.results.map(({ record }) => record as ZoneRecord);
      const text = made.map((record) => `Added ${renderRecord(record)}`).join('\n');
      output.done(text, made.length === 1 ? (made[0] as ZoneRecord) : made);
      suggest(`Next: ${PROGRAM} check ${zone.name}`);
    },
  });
}
