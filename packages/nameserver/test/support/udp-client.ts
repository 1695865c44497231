import { createSocket, type Socket } from 'node:dgram';
import { afterEach } from '@jest/globals';

interface UdpClient {
  readonly send: (port: number, host: string, query: Uint8Array) => Promise<void>;
  /** The answers that have arrived so far, with their source addresses. */
  readonly answers: readonly { readonly octets: Buffer; readonly from: string }[];
}

const open = new Set<Socket>();

/** Opens a socket for any number of queries, which is closed after the test. */
export function openUdpClient(type: 'udp4' | 'udp6' = 'udp4'): UdpClient {
  const socket = createSocket(type);
  open.add(socket);
  const answers: { octets: Buffer; from: string }[] = [];
  socket.on('message', (octets, { address }) => answers.push({ octets, from: address }));
  const send = (port: number, host: string, query: Uint8Array) =>
    new Promise<void>((resolve) => {
      socket.send(query, port, host, () => {
        resolve();
      });
    });
  return { send, answers };
}

/** Occupies a UDP port of 127.0.0.1, a free one if none is given, until the end of the test. */
export async function takeUdpPort(port = 0): Promise<number> {
  const socket = createSocket('udp4');
  open.add(socket);
  await new Promise<void>((resolve, reject) => {
    socket.once('error', reject);
    socket.bind(port, '127.0.0.1', resolve);
  });
  return socket.address().port;
}

afterEach(() => {
  for (const socket of open) socket.close();
  open.clear();
});
