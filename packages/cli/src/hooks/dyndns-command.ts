import { readAll } from '@zonewright/client';
import { isIP } from 'node:net';
import { InputError } from '@zonewright/terminal';
import type { Command } from 'commander';
import type { Host } from '../command/host.js';
import { withSession } from '../session/session.js';
import { writeCommand } from '../command/user-command.js';
import { planSet } from '../record/plan-set.js';
import { findZone } from './find-zone.js';

const TTL_SECONDS = 60;

export function dyndnsCommand(host: Host): Command {
  return writeCommand(
    'dyndns',
    'let a name have the address that this machine has now; writes nothing where it has it already',
    'dyndns home.example.com 192.0.2.1',
    'dyndns home.example.com "$(curl -s https://address.example.net)"',
  )
    .argument('<name>', 'the whole name')
    .argument('<address...>', 'its IPv4 address, its IPv6 address, or both')
    .action(
      withSession(host, async (session, given: string, addresses: readonly string[]) => {
        const { client, output, reading, write } = session;
        const name = given.endsWith('.') ? given : `${given}.`;
        const wanted = addresses.map((data) => ({
          name,
          type: typeOf(data),
          data,
          ttl: TTL_SECONDS,
        }));
        const zone = await findZone(session, name);
        const records = client.records(zone.id);
        const types = [...new Set(wanted.map(({ type }) => type))];
        const present = await Promise.all(
          types.map((type) => readAll(records.list({ name, type }, reading))),
        );
        const operations = types.flatMap((type, index) =>
          planSet(
            present[index] ?? [],
            wanted.filter((record) => record.type === type),
          ),
        );
        const text = `${name} ${addresses.join(' ')}`;
        if (operations.length === 0) {
          output.done(`No change: ${text}`, present.flat());
          return;
        }
        const answer = await write(name, (each) => records.change(operations, each));
        output.done(`Set ${text}`, answer.value.results);
      }),
    );
}

function typeOf(address: string): 'A' | 'AAAA' {
  const version = isIP(address);
  if (version === 0) throw new InputError(`"${address}" is no address`);
  return version === 4 ? 'A' : 'AAAA';
}
