import type { NameserverAddress } from '@zonewright/testkit';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { connect } from 'node:net';

const TIMEOUT_MS = 8_000;

/** Sends two datagrams and returns the first response. */
export async function sendTwoOverUdp(
  server: NameserverAddress,
  first: Uint8Array,
  second: Uint8Array,
): Promise<Buffer> {
  const socket = createSocket('udp4');
  try {
    const answered = once(socket, 'message', { signal: AbortSignal.timeout(TIMEOUT_MS) });
    socket.send(first, server.port, server.host);
    socket.send(second, server.port, server.host);
    const [message] = (await answered) as [Buffer];
    return message;
  } finally {
    socket.close();
  }
}

/** Sends two messages over one connection and returns the first response. */
export async function sendTwoOverTcp(
  server: NameserverAddress,
  first: Uint8Array,
  second: Uint8Array,
): Promise<Buffer> {
  const socket = connect(server.port, server.host);
  try {
    socket.write(Buffer.concat([frame(first), frame(second)]));
    let received = Buffer.alloc(0);
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    while (received.length < 2 || received.length < 2 + received.readUInt16BE(0)) {
      const [chunk] = (await once(socket, 'data', { signal })) as [Buffer];
      received = Buffer.concat([received, chunk]);
    }
    return received.subarray(2, 2 + received.readUInt16BE(0));
  } finally {
    socket.destroy();
  }
}

function frame(message: Uint8Array): Buffer {
  const length = Buffer.alloc(2);
  length.writeUInt16BE(message.length);
  return Buffer.concat([length, message]);
}
