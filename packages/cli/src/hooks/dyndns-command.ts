import { readAll } from '@zonewright/client';
import { isIP } from 'node:net';
import { InputError } from '@zonewright/terminal';
import type { Command } from 'commander';
import { again, watchOption } from '../session/again.js';
import type { Host } from '../command/host.js';
import { type Session, withSession } from '../session/session.js';
import { writeCommand } from '../command/user-command.js';
import { planSet } from '../record/plan-set.js';
import { findAddresses } from './find-addresses.js';
import { findZone } from './find-zone.js';

const TTL_SECONDS = 60;

const WATCH_SECONDS = 60;

interface DyndnsOptions {
  readonly from?: string;
  readonly watch?: number;
}

export function dyndnsCommand(host: Host): Command {
  return writeCommand(
    'dyndns',
    'let a name have the address that this machine has now; writes nothing where it has it already',
    'dyndns home.example.com 192.0.2.1',
    'dyndns home.example.com --from https://address.example.net',
    'dyndns home.example.com --from eth0 --watch',
  )
    .argument('<name>', 'the whole name')
    .argument('[address...]', 'its IPv4 address, its IPv6 address, or both')
    .option('--from <source>', 'ask this URL for the address, or a network interface such as eth0')
    .addOption(watchOption('look at --from again, and set what has changed', WATCH_SECONDS))
    .action(
      withSession(
        host,
        async (
          session,
          given: string,
          addresses: readonly string[],
          { from, watch }: DyndnsOptions,
        ) => {
          if ((addresses.length === 0) === (from === undefined)) {
            throw new InputError('write the address, or --from: one of them');
          }
          if (watch !== undefined && from === undefined) {
            throw new InputError('--watch needs --from: an address that is given does not change');
          }
          const find = async () =>
            from === undefined ? addresses : await findAddresses(from, session.reading.signal);
          if (watch === undefined) {
            await setAddresses(session, given, await find());
            return;
          }
          let before = '';
          await again(session, watch, async () => {
            const found = await find();
            if (found.join(' ') !== before) await setAddresses(session, given, found);
            before = found.join(' ');
            return false;
          });
        },
      ),
    );
}

/** Writes nothing where the name has them. */
async function setAddresses(
  session: Session,
  given: string,
  addresses: readonly string[],
): Promise<void> {
  const { client, output, reading, write } = session;
  const name = given.endsWith('.') ? given : `${given}.`;
  const wanted = addresses.map((data) => ({ name, type: typeOf(data), data, ttl: TTL_SECONDS }));
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
}

function typeOf(address: string): 'A' | 'AAAA' {
  const version = isIP(address);
  if (version === 0) throw new InputError(`"${address}" is no address`);
  return version === 4 ? 'A' : 'AAAA';
}
