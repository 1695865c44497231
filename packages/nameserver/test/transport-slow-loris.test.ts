import { describe, expect, it } from '@jest/globals';
import { exchangeTcp, exchangeUdp } from '@zonewright/testkit';
import { connect, type Socket } from 'node:net';
import { decodeMessage } from '../conformance/support/message.js';
import { buildQuery } from '../conformance/support/query.js';
import {
  readMetric,
  type RunningNameserver,
  startNameserver,
} from './support/running-nameserver.js';

const ATTACKERS = 1_000;
/**
 * The time limit for normal clients. An answer that waited for the attackers would take as long as the idle timeout, or
 * never come.
 */
const HONEST_DEADLINE_MS = 8_000;
const QUERY = buildQuery({ question: 'www.example. A' });
const WITHOUT_DATABASE = { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' };

/** Connections that announce a long query and send it octet by octet. */
class SlowLoris {
  readonly #server: RunningNameserver;
  readonly #sockets = new Set<Socket>();

  constructor(server: RunningNameserver) {
    this.#server = server;
  }

  async start(): Promise<void> {
    await Promise.all(Array.from({ length: ATTACKERS }, () => this.#connect()));
  }

  /** Sends one more octet on each connection. */
  dribble(): void {
    for (const socket of this.#sockets) socket.write(Buffer.of(0));
  }

  stop(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  async #connect(): Promise<void> {
    const socket = connect(this.#server.port, this.#server.host);
    this.#sockets.add(socket);
    socket.on('close', () => this.#sockets.delete(socket));
    await new Promise<void>((resolve) => {
      socket.once('connect', () => {
        socket.write(Buffer.of(0xff));
        resolve();
      });
      socket.on('error', () => {
        resolve();
      });
    });
  }
}

describe('slow-loris on TCP with 1,000 connections', () => {
  it.each([
    ['at the default limits', {}],
    [
      'with a full table, as by many sources',
      { NAMESERVER_TCP_MAX_CONNECTIONS: '200', NAMESERVER_TCP_MAX_CONNECTIONS_PER_SOURCE: '1000' },
    ],
  ])('UDP and honest TCP are unaffected: %s', async (_, limits) => {
    const server = await startNameserver({ ...WITHOUT_DATABASE, ...limits });
    const attack = new SlowLoris(server);
    try {
      await attack.start();
      for (let round = 0; round < 20; round++) {
        attack.dribble();
        // exchangeUdp and exchangeTcp fail if no answer arrives in time.
        expect(decodeMessage(await exchangeUdp(server, QUERY, HONEST_DEADLINE_MS)).rcode).toBe(
          'SERVFAIL',
        );
        expect(decodeMessage(await exchangeTcp(server, QUERY, HONEST_DEADLINE_MS)).rcode).toBe(
          'SERVFAIL',
        );
      }
      const open = await readMetric(server, 'zonewright_nameserver_tcp_connections');
      expect(open).toBeLessThanOrEqual(200);
    } finally {
      attack.stop();
    }
  });
});
