import { afterEach, describe, expect, it } from '@jest/globals';
import { createLogger, systemClock } from '@zonewright/service-kit';
import { FakeClock, waitFor } from '@zonewright/testkit';
import { QueryContext } from '../src/message/query-context.js';
import { ImageReader } from '../src/image/image-reader.js';
import { ImageWriter } from '../src/image/image-writer.js';
import { createTransportCounters } from '../src/stats/transport-counters.js';
import { FaultLog } from '../src/transport/transport.js';
import { createTcpAnswer } from '../src/transport/tcp-answer.js';
import { TcpServer } from '../src/transport/tcp-server.js';
import { expectEventually } from './support/expect-eventually.js';
import { frame, TcpClient } from './support/tcp-client.js';

const HOST = '127.0.0.1';
const IDLE_TIMEOUT_MS = 400;
/**
 * The time limit for stopping. It takes at most a second on an idle machine; waiting for clients or PostgreSQL would
 * take longer.
 */
const STOP_DEADLINE_MS = 5_000;
const WRITE_BUFFER_OCTETS = 131_072;
const log = createLogger('test', 'silent');
const servers = new Set<TcpServer>();

afterEach(async () => {
  await Promise.all([...servers].map((server) => server.stop()));
  servers.clear();
});

/**
 * Starts a server with simple answers: a query consists of two octets that come back and two with the length of the
 * answer; a query with length 0 gets no answer.
 */
async function startServer(options: { maxConnections?: number; perSource?: number } = {}) {
  const clock = new FakeClock();
  const counters = createTransportCounters();
  let handled = 0;
  const answer = createTcpAnswer({
    answerRelayed: undefined,
    handleQuery: (context) => {
      handled++;
      const { input, inputLength, output, outputStart } = context;
      output.fill(0x5a, outputStart, outputStart + 65_535);
      output.set(input.subarray(0, 2), outputStart);
      return inputLength < 4 ? 0 : input[2]! * 256 + input[3]!;
    },
    context: new QueryContext(new ImageReader(ImageWriter.create(1_048_576).buffer), {
      nsid: new Uint8Array(0),
      versionText: null,
      serverIdText: null,
      cookieSecrets: [new Uint8Array(16)],
      maxUdpPayloadOctets: 1_232,
      tcpIdleTimeoutDeciseconds: 100,
    }),
    counters: counters.tcp.queries,
    faults: new FaultLog(() => undefined, systemClock),
    clock,
  });
  const server = new TcpServer({
    hosts: [HOST],
    answer,
    idleTimeoutMs: IDLE_TIMEOUT_MS,
    maxConnections: options.maxConnections ?? 100,
    maxConnectionsPerSource: options.perSource ?? 100,
    writeBufferOctets: WRITE_BUFFER_OCTETS,
    counters: counters.tcp,
    clock,
    log,
  });
  servers.add(server);
  const port = await server.start(0);
  const connect = (localAddress = HOST) => TcpClient.connect({ host: HOST, port, localAddress });
  return { server, clock, counters: counters.tcp, connect, handled: () => handled };
}

function query(id: number, answerOctets: number): Buffer {
  const octets = Buffer.alloc(4);
  octets.writeUInt16BE(id, 0);
  octets.writeUInt16BE(answerOctets, 2);
  return octets;
}

/** Waits until a number has stayed the same for several readings. */
async function waitUntilSteady(read: () => number): Promise<void> {
  let last = read();
  let looks = 0;
  await waitFor(() => {
    looks = read() === last ? looks + 1 : 0;
    last = read();
    return looks === 10;
  });
}

const idOf = (message: Buffer) => message.readUInt16BE(0);

describe('TcpServer', () => {
  it('RFC 7766 s8: a query whose octets arrive one by one is answered', async () => {
    const { connect } = await startServer();
    const client = await connect();
    client.socket.setNoDelay(true);
    for (const octet of frame(query(1, 50))) {
      await new Promise((resolve) => client.socket.write(Buffer.of(octet), resolve));
    }
    expect(await client.waitForMessages(1)).toEqual([
      Buffer.concat([Buffer.of(0, 1), Buffer.alloc(48, 0x5a)]),
    ]);
  });

  it('RFC 7766 s6.2.1.1: queries that are sent together are all answered', async () => {
    const { connect } = await startServer();
    const client = await connect();
    const ids = Array.from({ length: 1_000 }, (_, id) => id);
    client.send(...ids.map((id) => query(id, 100)));
    expect((await client.waitForMessages(1_000)).map(idOf)).toEqual(ids);
  });

  it('RFC 7766 s6.2.4: a client that has closed its sending side gets its answers, then the end', async () => {
    const { connect } = await startServer();
    const client = await connect();
    const queries = [1, 2, 3].map((id) => query(id, 40_000));
    client.socket.end(Buffer.concat(queries.map(frame)));
    expect((await client.waitForMessages(3)).map(idOf)).toEqual([1, 2, 3]);
    await client.waitForEnd();
  });

  it('RFC 1035 s4.2.2: an answer may have 65,535 octets', async () => {
    const { connect } = await startServer();
    const client = await connect();
    client.send(query(7, 65_535), query(8, 12));
    const [longest, next] = await client.waitForMessages(2);
    expect(longest).toHaveLength(65_535);
    expect(idOf(next!)).toBe(8);
  });

  it('our choice: a message without an answer does not end the connection', async () => {
    const { connect } = await startServer();
    const client = await connect();
    client.send(Buffer.alloc(0), Buffer.alloc(3), query(9, 12));
    expect((await client.waitForMessages(1)).map(idOf)).toEqual([9]);
  });

  it('RFC 7766 s6.2.3: a connection without queries is closed after the idle timeout', async () => {
    const { connect, clock, counters } = await startServer();
    const idle = await connect();
    const busy = await connect();
    busy.send(query(1, 12));
    await busy.waitForMessages(1);
    clock.advance(IDLE_TIMEOUT_MS - 1);
    busy.send(query(2, 12));
    await busy.waitForMessages(2);
    clock.advance(1);
    await idle.waitForEnd();
    expect(busy.hasEnded).toBe(false);
    expect(counters.timedOut).toBe(1);
  });

  it('octets that never become a query do not keep a connection open', async () => {
    const { connect, clock } = await startServer();
    const client = await connect();
    const octets = [...frame(Buffer.alloc(60_000))].map((octet) => Buffer.of(octet));
    for (const octet of octets) {
      if (client.hasEnded) break;
      client.socket.write(octet);
      await new Promise(setImmediate);
      clock.advance(IDLE_TIMEOUT_MS / 100);
    }
    await expectEventually(() => client.hasEnded);
  });

  it('queries of a client that does not read wait, and its connection is closed', async () => {
    const { connect, clock, handled, counters } = await startServer();
    const client = await connect();
    client.socket.pause();
    const queries = Array.from({ length: 5_000 }, (_, id) => query(id, 65_535));
    client.send(...queries);
    // The kernel's own buffers hold a few megabytes before the server notices.
    await waitFor(() => handled() > 0);
    await waitUntilSteady(handled);
    expect(handled()).toBeLessThan(500);
    clock.advance(IDLE_TIMEOUT_MS);
    await waitFor(() => counters.timedOut === 1);
  });

  it('a client that reads slowly gets all answers', async () => {
    const { connect } = await startServer();
    const client = await connect();
    client.socket.pause();
    const ids = Array.from({ length: 300 }, (_, id) => id);
    client.send(...ids.map((id) => query(id, 65_535)));
    client.socket.resume();
    const messages = await client.waitForMessages(300, 15_000);
    expect(messages.map(idOf)).toEqual(ids);
    expect(messages.every((message) => message.length === 65_535)).toBe(true);
  });

  it('RFC 7766 s6.2: a source with too many connections loses the one with the least recent query', async () => {
    const { connect, server, counters } = await startServer({ perSource: 3 });
    const other = await connect('127.0.0.2');
    const first = await connect();
    const second = await connect();
    const third = await connect();
    first.send(query(1, 12));
    await first.waitForMessages(1);
    const fourth = await connect();
    await second.waitForEnd();
    fourth.send(query(4, 12));
    await fourth.waitForMessages(1);
    expect([other, first, third, fourth].map(({ hasEnded }) => hasEnded)).toEqual(
      Array.from({ length: 4 }, () => false),
    );
    expect(counters.displaced).toBe(1);
    await waitFor(() => server.openConnections === 4);
  });

  it('RFC 7766 s6.2: over the total limit, a new connection replaces the oldest', async () => {
    const { connect } = await startServer({ maxConnections: 2 });
    const first = await connect('127.0.0.2');
    const second = await connect('127.0.0.3');
    const third = await connect('127.0.0.4');
    await first.waitForEnd();
    third.send(query(3, 12));
    await third.waitForMessages(1);
    expect(second.hasEnded).toBe(false);
  });

  it('stops soon even if clients keep connections open', async () => {
    const { connect, server } = await startServer();
    const client = await connect();
    const clients = [client, await connect(), await connect()];
    client.send(query(1, 12));
    await client.waitForMessages(1);
    const before = Date.now();
    await server.stop();
    expect(Date.now() - before).toBeLessThan(STOP_DEADLINE_MS);
    await Promise.all(clients.map((client) => client.waitForEnd()));
    expect(server.openConnections).toBe(0);
  });
});
