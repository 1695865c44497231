import { createSocket, type Socket } from 'node:dgram';
import { afterEach } from '@jest/globals';

interface UdpClient {
  readonly send: (port: number, host: string, query: Uint8Array) => Promise<void>;
  /** What has come back so far, and from where. */
  readonly answers: readonly { readonly octets: Buffer; readonly from: string }[];
}

const open = new Set<Socket>();

/** Sends any number of queries from one socket, which is closed after the test. */
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

/** Takes a UDP port of 127.0.0.1, any if none is named, until the test's end. */
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
