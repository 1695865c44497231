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
    'set the address records of a name; writes only changes',
    'dyndns home.example.com 192.0.2.1',
    'dyndns home.example.com --from https://address.example.net',
    'dyndns home.example.com --from eth0 --watch',
  )
    .argument('<name>', 'absolute name')
    .argument('[address...]', 'IPv4 address, IPv6 address, or both')
    .option(
      '--from <source>',
      'get the address from this URL, or from a network interface such as eth0',
    )
    .addOption(watchOption('repeat --from and set changed addresses', WATCH_SECONDS))
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
            throw new InputError('give either the address or --from');
          }
          if (watch !== undefined && from === undefined) {
            throw new InputError('--watch needs --from');
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
  if (version === 0) throw new InputError(`"${address}" is not an address.`);
  return version === 4 ? 'A' : 'AAAA';
}
