import { randomInt } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { isIPv6 } from 'node:net';
import dnsPacket from 'dns-packet';
import type { DnsTarget } from './dns-target.js';

const TIMEOUT_MS = 1_000;

/**
 * Returns the name of a nameserver (id.server in class CHAOS, RFC 4892). node:dns supports only class IN.
 *
 * @returns undefined if the nameserver does not tell its name or does not respond
 */
export async function queryServerId({ address, port }: DnsTarget): Promise<string | undefined> {
  const id = randomInt(65_536);
  const query = dnsPacket.encode({
    type: 'query',
    id,
    questions: [{ name: 'id.server', type: 'TXT', class: 'CH' }],
  });
  const socket = createSocket(isIPv6(address) ? 'udp6' : 'udp4');
  return await new Promise((resolve) => {
    const end = (text?: string) => {
      clearTimeout(timer);
      socket.removeAllListeners().on('error', () => undefined);
      socket.close();
      resolve(text);
    };
    const timer = setTimeout(end, TIMEOUT_MS);
    socket.on('error', () => {
      end();
    });
    socket.on('message', (octets) => {
      end(readText(octets, id));
    });
    // Connected: the system lets in nothing from anywhere else, and tells when nobody listens.
    socket.connect(port, address, () => {
      socket.send(query);
    });
  });
}

function readText(octets: Buffer, id: number): string | undefined {
  try {
    const { id: answered, answers = [] } = dnsPacket.decode(octets);
    const [answer] = answers;
    if (answered !== id || answer?.type !== 'TXT') return undefined;
    return [answer.data].flat().map(String).join('');
  } catch {
    // A message that cannot be decoded is not a response.
    return undefined;
  }
}
