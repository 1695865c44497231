import { type AddressInfo, createServer, isIPv6, type Server, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { Clock, Logger } from '@zonewright/service-kit';
import type { TcpCounters } from '../stats/transport-counters.js';
import { ConnectionTable } from './connection-table.js';
import type { PortSharing } from './port-sharing.js';
import { ADDRESS_OCTETS, isIpv4, writeSourceAddress } from './source-address.js';
import type { AnswerTcp } from './tcp-answer.js';
import { TcpConnection } from './tcp-connection.js';

interface TcpServerOptions {
  /** Literal addresses. Over TCP a wildcard needs only one socket, since a connection keeps its local address. */
  readonly hosts: readonly string[];
  readonly answer: AnswerTcp;
  readonly idleTimeoutMs: number;
  readonly maxConnections: number;
  readonly maxConnectionsPerSource: number;
  readonly writeBufferOctets: number;
  /** Undefined if no other process may share the port. */
  readonly portSharing?: PortSharing | undefined;
  readonly counters: TcpCounters;
  readonly clock: Clock;
  readonly log: Logger;
}

/**
 * Maximum interval of checks for idle connections. A timer for each would cost more than a second of precision is
 * worth.
 */
const MAX_SWEEP_INTERVAL_MS = 1_000;
/** Maximum number of connections that the kernel has completed and this process has not accepted yet. */
const BACKLOG = 1_024;
const NO_IPV6_CODES = new Set(['EAFNOSUPPORT', 'EADDRNOTAVAIL']);
/** Time in which clients can receive current answers and close, when stopping. */
const FINISH_MS = 500;
/** Time in which clients can complete a new connection to this process, when another process takes over. */
const GIVE_WAY_MS = 250;

/** DNS over TCP (RFC 7766) on any number of addresses. */
export class TcpServer {
  readonly #options: TcpServerOptions;
  readonly #connections: ConnectionTable<TcpConnection>;
  readonly #listeners: Server[] = [];
  #sweepTimer: NodeJS.Timeout | undefined;
  #onLastClosed: (() => void) | undefined;

  constructor(options: TcpServerOptions) {
    this.#options = options;
    this.#connections = new ConnectionTable(options);
  }

  /** Starts to answer on `port`. Returns the port, which differs if 0 was given. */
  async start(port: number): Promise<number> {
    let actualPort = port;
    for (const host of this.#options.hosts) {
      const listener = await this.#listen(host, actualPort);
      if (listener === undefined) continue;
      this.#listeners.push(listener);
      actualPort = (listener.address() as AddressInfo).port;
    }
    if (this.#listeners.length === 0) throw new Error('No address could be bound for TCP.');
    const interval = Math.min(MAX_SWEEP_INTERVAL_MS, this.#options.idleTimeoutMs / 4);
    this.#sweepTimer = setInterval(() => {
      this.#closeIdle();
    }, interval);
    return actualPort;
  }

  get openConnections(): number {
    return this.#connections.size;
  }

  /** Accepts no more connections, lets open ones receive their answers, then closes them. */
  async stop(): Promise<void> {
    clearInterval(this.#sweepTimer);
    const { portSharing } = this.#options;
    if (portSharing !== undefined && this.#listeners.length > 0) {
      portSharing.giveWay();
      await delay(GIVE_WAY_MS);
    }
    const closed = this.#listeners.splice(0).map(closeListener);
    for (const connection of this.#connections.list()) connection.finish();
    await this.#allClosed();
    await Promise.all(closed);
  }

  /** Returns undefined for the wildcard `::` if the machine has no IPv6, which is not an error. */
  async #listen(host: string, port: number): Promise<Server | undefined> {
    const { writeBufferOctets, portSharing, log } = this.#options;
    // A client may close its sending side and still wait for answers (RFC 7766 s6.2.4).
    const listener = createServer(
      { allowHalfOpen: true, highWaterMark: writeBufferOctets },
      (socket) => {
        this.#accept(socket);
      },
    );
    try {
      await new Promise<void>((resolve, reject) => {
        listener.once('error', reject);
        const options = { host, port, backlog: BACKLOG };
        if (portSharing === undefined) {
          listener.listen({ ...options, ipv6Only: isIPv6(host) }, resolve);
        } else {
          portSharing.listen(listener, options, resolve);
        }
      });
    } catch (error) {
      const { code = '' } = error as NodeJS.ErrnoException;
      if (host === '::' && NO_IPV6_CODES.has(code)) return undefined;
      throw error;
    }
    listener.removeAllListeners('error');
    listener.on('error', (error) => {
      log.error({ err: error }, 'a TCP connection could not be accepted');
    });
    return listener;
  }

  #accept(socket: Socket): void {
    const address = socket.remoteAddress;
    if (address === undefined) {
      // The client disconnected before the connection was accepted.
      socket.destroy();
      return;
    }
    const { clock, counters, answer } = this.#options;
    counters.accepted++;
    const source = new Uint8Array(ADDRESS_OCTETS);
    writeSourceAddress(source, address);
    const connection = new TcpConnection({
      socket,
      answer: (message) => answer(message, { octets: source, address }),
      onUseful: (useful) => {
        this.#connections.touch(useful, clock.now());
      },
      onClosed: (gone) => {
        this.#connections.remove(gone);
        if (this.#connections.size === 0) this.#onLastClosed?.();
      },
    });
    const displaced = this.#connections.add(connection, limitKey(source), clock.now());
    if (displaced === undefined) return;
    counters.displaced++;
    displaced.destroy();
  }

  #closeIdle(): void {
    const { clock, counters, idleTimeoutMs } = this.#options;
    for (const connection of this.#connections.listIdle(clock.now(), idleTimeoutMs)) {
      counters.timedOut++;
      connection.destroy();
    }
  }

  async #allClosed(): Promise<void> {
    if (this.#connections.size === 0) return;
    const timer = setTimeout(() => {
      for (const connection of this.#connections.list()) connection.destroy();
    }, FINISH_MS);
    await new Promise<void>((resolve) => {
      this.#onLastClosed = resolve;
    });
    clearTimeout(timer);
  }
}

/** Returns the key for connection limits: an IPv4 address, or an IPv6 /64, which one customer can have. */
function limitKey(source: Uint8Array): string {
  const octets = isIpv4(source) ? source : source.subarray(0, 8);
  return Buffer.from(octets.buffer, octets.byteOffset, octets.length).toString('latin1');
}

async function closeListener(listener: Server): Promise<void> {
  await new Promise<void>((resolve) => {
    listener.close(() => {
      resolve();
    });
  });
}
