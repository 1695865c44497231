import { describe, expect, it } from '@jest/globals';
import {
  type Api,
  type Operation,
  readBody,
  Refusal,
  RequestMetrics,
  serveOperations,
} from '@zonewright/http-api';
import { createLogger } from '@zonewright/service-kit';
import { waitFor } from '@zonewright/testkit';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { connect, type NetConnectOpts, type Socket } from 'node:net';
import { Registry } from 'prom-client';
import { useServer } from './support/use-server.js';

const MIB = 1_048_576;
/** Longer than the time limit without data. */
const IDLE_MS = 2_500;

const api: Api<Operation> = {
  operations: [{ id: 'echo', name: 'echo', method: 'POST', path: '/echo', access: 'public' }],
  isTls: false,
  types: ['application/json'],
  log: createLogger('an-api', 'silent'),
  metrics: new RequestMetrics({ registry: new Registry(), metricPrefix: 'a', buckets: [1] }),
  tracing: undefined,
  noRoute: 'none',
  perform: async (_, { request, response }) => ({
    status: 200,
    body: await readBody(request, response, { maxBytes: 1_000 }),
  }),
  renderError: (error) => ({ status: error instanceof Refusal ? error.status : 500, body: '{}' }),
};

const server = useServer(serveOperations(api));

interface Client {
  readonly socket: Socket;
  received: string;
  failure: Error | undefined;
}

/** Sends the head of a request whose body follows. */
function dial(field: string, options: Partial<NetConnectOpts> = {}): Client {
  const port = Number(new URL(server.url).port);
  const socket = connect({ port, host: '127.0.0.1', ...options });
  const client: Client = { socket, received: '', failure: undefined };
  socket.on('data', (chunk: Buffer) => (client.received += chunk.toString()));
  socket.on('error', (error) => (client.failure = error));
  socket.write(`POST /echo HTTP/1.1\r\nHost: localhost\r\n${field}\r\n\r\n`);
  return client;
}

const closed = async ({ socket }: Client) => await waitFor(() => socket.closed);
const outcome = ({ received, failure }: Client) => [received.slice(0, 12), failure];
const REFUSED = ['HTTP/1.1 413', undefined];

describe('RFC 9112 s9.6: who sends a body that nobody reads has the answer', () => {
  it('as fetch, which sends everything at once', async () => {
    for (let round = 0; round < 2; round += 1) {
      const answers = Array.from({ length: 8 }, async (_, index) => {
        const body = Buffer.alloc((9 + index) * MIB, ' ');
        const answer = await fetch(`${server.url}/echo`, { method: 'POST', body });
        return [answer.status, await answer.text()];
      });
      expect(await Promise.all(answers)).toEqual(Array(8).fill([413, '{}']));
    }
  });

  it('as a client that reads only after it has sent everything', async () => {
    const send = async () => {
      const client = dial(`Content-Length: ${16 * MIB}`);
      client.socket.pause();
      await new Promise<void>((resolve) => {
        client.socket.write(Buffer.alloc(16 * MIB, ' '), () => {
          resolve();
        });
      });
      client.socket.resume();
      await closed(client);
      return outcome(client);
    };
    for (let round = 0; round < 2; round += 1) {
      const outcomes = await Promise.all([send(), send(), send(), send()]);
      expect(outcomes).toEqual(Array(4).fill(REFUSED));
    }
  });

  it('as a client that does the same over a slow line', async () => {
    const client = dial('Content-Length: 100000');
    client.socket.pause();
    for (let sent = 0; sent < 30; sent += 1) {
      client.socket.write(Buffer.alloc(3_000, ' '));
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    client.socket.resume();
    await closed(client);
    expect(outcome(client)).toEqual(REFUSED);
  });

  it('as a client that sends slowly, a little more each time that it has read', async () => {
    const send = async () => {
      const client = dial(`Content-Length: ${16 * MIB}`);
      const piece = Buffer.alloc(16_384, ' ');
      while (client.socket.writable) {
        client.socket.write(piece);
        await new Promise((resolve) => setTimeout(resolve, 1));
      }
      await closed(client);
      return outcome(client);
    };
    expect(await Promise.all(Array.from({ length: 40 }, send))).toEqual(Array(40).fill(REFUSED));
  });
});

describe('A client that does not end', () => {
  it('is read only up to a limit', async () => {
    const client = dial('Transfer-Encoding: chunked');
    const chunk = Buffer.from(`10000\r\n${' '.repeat(65_536)}\r\n`);
    const send = () => {
      while (client.socket.writable && client.socket.write(chunk));
    };
    client.socket.on('drain', send);
    // The client continues to send although the server has closed its side.
    client.socket.allowHalfOpen = true;
    send();
    await closed(client);
    expect(client.received).toContain('HTTP/1.1 413');
    expect(client.socket.bytesWritten).toBeGreaterThan(32 * MIB);
    expect(client.socket.bytesWritten).toBeLessThan(64 * MIB);
  });

  const stay = async () => {
    const client = dial('Content-Length: 5000', { allowHalfOpen: true });
    await once(client.socket, 'end');
    return client;
  };
  /** After the end of the response, a client notices a closed connection only when it writes. */
  const isGone = ({ socket }: Client) => !socket.write(' ') || socket.closed;

  it('and sends almost nothing is disconnected after a while', async () => {
    const client = await stay();
    expect(isGone(client)).toBe(false);
    await waitFor(async () => {
      await delay(IDLE_MS);
      return isGone(client);
    });
    expect(client.received).toContain('HTTP/1.1 413');
  });

  it('is disconnected at once if there are many, the earliest first', async () => {
    const first = await stay();
    const others = await Promise.all(Array.from({ length: 64 }, stay));
    await waitFor(() => isGone(first));
    expect(others.filter(({ socket }) => socket.closed)).toEqual([]);
    for (const { socket } of others) socket.destroy();
  });
});
