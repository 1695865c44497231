import dnsPacket from 'dns-packet';
import { createSocket, type Socket } from 'node:dgram';
import { setTimeout as delay } from 'node:timers/promises';
import { exchangeTcp, type NameserverAddress } from './dns-client.js';
import { waitFor } from './wait-for.js';

interface QueryLoadOptions {
  /** Name to query. The answer must contain an address. */
  readonly name: string;
  readonly udpPerSecond: number;
  /** Number of clients over TCP, with a new connection for each query. */
  readonly tcpClients: number;
}

export interface QueryLoadResult {
  readonly udpQueries: number;
  readonly udpUnanswered: number;
  readonly tcpQueries: number;
  /** Errors of unanswered queries over TCP. */
  readonly tcpFailures: readonly string[];
  /** Number of answers without an address. */
  readonly badAnswers: number;
}

/** Number of sockets. The kernel distributes clients among sockets on one port by the client's port. */
const UDP_SOCKETS = 32;
const TICK_MS = 5;
const LAST_ANSWERS_MS = 3_000;
const IDS = 65_536;
const ANSWERS_AT = 6;

/** Queries a nameserver at a steady rate over UDP and TCP until it is stopped, and reports losses. */
export class QueryLoad {
  readonly #server: NameserverAddress;
  readonly #options: QueryLoadOptions;
  readonly #query: Buffer;
  readonly #sockets: Socket[] = [];
  /** Unanswered queries, each as a number made of its socket and id. */
  readonly #unanswered = new Set<number>();
  readonly #tcpFailures: string[] = [];
  #clients: Promise<void>[] = [];
  #udpQueries = 0;
  #tcpQueries = 0;
  #badAnswers = 0;
  #isStopping = false;

  constructor(server: NameserverAddress, options: QueryLoadOptions) {
    this.#server = server;
    this.#options = options;
    this.#query = dnsPacket.encode({
      type: 'query',
      questions: [{ name: options.name, type: 'A' }],
    });
  }

  start(): void {
    for (let i = 0; i < UDP_SOCKETS; i++) this.#sockets.push(this.#openSocket(i));
    this.#clients = [
      this.#askOverUdp(),
      ...Array.from({ length: this.#options.tcpClients }, () => this.#askOverTcp()),
    ];
  }

  /** Waits for the last answers. */
  async stop(): Promise<QueryLoadResult> {
    this.#isStopping = true;
    await Promise.all(this.#clients);
    await waitFor(() => this.#unanswered.size === 0, LAST_ANSWERS_MS).catch(() => undefined);
    for (const socket of this.#sockets) socket.close();
    return {
      udpQueries: this.#udpQueries,
      udpUnanswered: this.#unanswered.size,
      tcpQueries: this.#tcpQueries,
      tcpFailures: this.#tcpFailures,
      badAnswers: this.#badAnswers,
    };
  }

  #openSocket(index: number): Socket {
    const socket = createSocket(this.#server.host.includes(':') ? 'udp6' : 'udp4');
    socket.on('message', (answer) => {
      this.#check(answer);
      this.#unanswered.delete(index * IDS + answer.readUInt16BE(0));
    });
    // ICMP reports a port without a listener; the query stays unanswered.
    socket.on('error', () => undefined);
    return socket;
  }

  /** Sends as many queries at each tick as are due since the start, since timers are late on a busy machine. */
  async #askOverUdp(): Promise<void> {
    const { udpPerSecond } = this.#options;
    const startedAt = performance.now();
    while (!this.#isStopping) {
      const due = ((performance.now() - startedAt) / 1_000) * udpPerSecond;
      // Limits a burst to what a socket's queue can hold.
      for (let burst = 0; this.#udpQueries < due && burst < UDP_SOCKETS; burst++) this.#sendUdp();
      await delay(TICK_MS);
    }
  }

  #sendUdp(): void {
    const index = this.#udpQueries % UDP_SOCKETS;
    const id = Math.floor(this.#udpQueries / UDP_SOCKETS) % IDS;
    this.#udpQueries++;
    const query = Buffer.from(this.#query);
    query.writeUInt16BE(id, 0);
    this.#unanswered.add(index * IDS + id);
    this.#sockets[index]?.send(query, this.#server.port, this.#server.host);
  }

  async #askOverTcp(): Promise<void> {
    while (!this.#isStopping) {
      this.#tcpQueries++;
      try {
        this.#check(await exchangeTcp(this.#server, this.#query));
      } catch (error) {
        this.#tcpFailures.push((error as Error).message);
      }
      await delay(TICK_MS);
    }
  }

  #check(answer: Buffer): void {
    if (answer.readUInt16BE(ANSWERS_AT) === 0) this.#badAnswers++;
  }
}
