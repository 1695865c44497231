import { afterEach, describe, expect, it } from '@jest/globals';
import dnsPacket from 'dns-packet';
import { createSocket } from 'node:dgram';
import { type AddressInfo, createServer } from 'node:net';
import { sendQuery, exchangeTcp, exchangeUdp, type NameserverAddress } from '../src/index.js';

const cleanUp: (() => unknown)[] = [];
afterEach(async () => {
  while (cleanUp.length > 0) await cleanUp.pop()?.();
});

/** Answers each question with one A record and the code NXDOMAIN, a combination that no server would send. */
function answer(query: Buffer): Buffer {
  const { id = 0, questions = [] } = dnsPacket.decode(query);
  const name = questions[0]?.name ?? '';
  return dnsPacket.encode({
    type: 'response',
    id,
    flags: dnsPacket.AUTHORITATIVE_ANSWER | 3,
    questions,
    answers: [{ type: 'A', name, ttl: 60, data: '192.0.2.1' }],
  });
}

async function startUdp(reply: (query: Buffer) => Buffer | undefined): Promise<NameserverAddress> {
  const socket = createSocket('udp4');
  socket.on('message', (query, client) => {
    const response = reply(query);
    if (response !== undefined) socket.send(response, client.port, client.address);
  });
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  cleanUp.push(() => {
    socket.close();
  });
  return { host: '127.0.0.1', port: socket.address().port };
}

/** Sends its framed answer octet by octet, then closes the connection. */
async function startTcp(reply: (query: Buffer) => Buffer | undefined): Promise<NameserverAddress> {
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', (framed: Buffer) => {
      const response = reply(framed.subarray(2));
      if (response === undefined) {
        socket.end();
        return;
      }
      socket.write(Buffer.from([response.length >> 8]));
      socket.write(Buffer.from([response.length & 255]));
      for (const octet of response) socket.write(Buffer.from([octet]));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  cleanUp.push(() => new Promise((resolve) => server.close(resolve)));
  return { host: '127.0.0.1', port: (server.address() as AddressInfo).port };
}

describe('ask', () => {
  it.each([
    ['udp', startUdp],
    ['tcp', startTcp],
  ] as const)('sends a question over %s and reads the answer', async (transport, start) => {
    const server = await start(answer);

    expect(await sendQuery(server, 'www.example.com', 'A', { transport })).toMatchObject({
      rcode: 'NXDOMAIN',
      isAuthoritative: true,
      isTruncated: false,
      answers: [{ type: 'A', name: 'www.example.com', ttl: 60, data: '192.0.2.1' }],
    });
  });
});

describe('exchanges', () => {
  it('fail when no datagram arrives in time', async () => {
    const server = await startUdp(() => undefined);

    await expect(exchangeUdp(server, Buffer.from('x'), 50)).rejects.toThrow(
      'No UDP answer within 50 ms.',
    );
  });

  it('fail when a connection is closed without an answer', async () => {
    const server = await startTcp(() => undefined);

    await expect(exchangeTcp(server, Buffer.from('x'))).rejects.toThrow(
      'The connection was closed without an answer.',
    );
  });
});
