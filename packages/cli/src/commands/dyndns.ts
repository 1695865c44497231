import { isIP } from 'node:net';
import { networkInterfaces } from 'node:os';
import { readAll, UnreachableError } from '@zonewright/client';
import { InputError } from '@zonewright/terminal';
import type { Command } from 'commander';
import type { Host } from '../command/host.js';
import { writeCommand } from '../command/user-command.js';
import { nodeFetch } from '../http/node-client.js';
import { findZone } from '../record/names.js';
import { planSet } from '../record/plan-set.js';
import { again, type Session, watchOption, withSession } from '../session/session.js';

const TTL_SECONDS = 60;

const WATCH_SECONDS = 60;

interface DyndnsOptions {
  readonly from?: string;
  readonly watch?: number;
}

export function dyndnsCommand(host: Host): Command {
  return writeCommand(
    'dyndns',
    'set the address records of a name; writes only if they change',
    'dyndns home.example.com 192.0.2.1',
    'dyndns home.example.com --from https://address.example.net',
    'dyndns home.example.com --from eth0 --watch',
  )
    .argument('<name>', 'absolute name')
    .argument('[address...]', 'IPv4 address, IPv6 address, or both')
    .option('--from <source>', 'URL or network interface to get the address from, such as eth0')
    .addOption(
      watchOption('keep checking --from, and set the address when it changes', WATCH_SECONDS),
    )
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
            throw new InputError('specify either the address or --from');
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

/** Writes nothing if the name already has the addresses. */
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
  output.done(`Address records set: ${text}`, answer.value.results);
}

function typeOf(address: string): 'A' | 'AAAA' {
  const version = isIP(address);
  if (version === 0) throw new InputError(`"${address}" is not an address.`);
  return version === 4 ? 'A' : 'AAAA';
}

/** Maximum length of a response that contains an address. */
const LONGEST_ANSWER = 200;
const PATIENCE_MS = 10_000;
/** Link-local address (RFC 3927, RFC 4291). */
const LINK_LOCAL = /^(169\.254\.|fe[89ab])/i;

/**
 * Finds the current addresses of this machine.
 *
 * @param source the name of a network interface, or the URL of a page that responds with the client's address
 * @throws InputError if there is no address
 */
async function findAddresses(source: string, signal: AbortSignal): Promise<string[]> {
  if (/^https?:\/\//.test(source)) return [await askPage(source, signal)];
  const all = networkInterfaces()[source] ?? [];
  const found = all.map(({ address }) => address).filter((address) => !LINK_LOCAL.test(address));
  // A machine may have several addresses of a family. The first one is used.
  const chosen = [4, 6].flatMap((version) => found.find((each) => isIP(each) === version) ?? []);
  if (chosen.length > 0) return chosen;
  throw new InputError(`${source} is neither a URL nor a network interface with an address.`);
}

async function askPage(url: string, signal: AbortSignal): Promise<string> {
  let text: string;
  try {
    const late = AbortSignal.any([signal, AbortSignal.timeout(PATIENCE_MS)]);
    const response = await nodeFetch(url, { signal: late });
    text = await readStart(response);
  } catch (error) {
    signal.throwIfAborted();
    throw new UnreachableError(url, error);
  }
  const address = text.trim();
  if (isIP(address) !== 0) return address;
  throw new InputError(`the response of ${url} does not contain an address`);
}

/** Reads the first bytes of a response, enough for an address. */
async function readStart(response: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const bytes of response.body as unknown as AsyncIterable<Uint8Array>) {
    text += decoder.decode(bytes, { stream: true });
    if (text.length > LONGEST_ANSWER) break;
  }
  return text;
}
