import { createSocket, type RemoteInfo, type Socket } from 'node:dgram';
import { type BlockList, isIPv6 } from 'node:net';
import type { Clock, Logger } from '@zonewright/service-kit';
import type { QueryContext } from '../answer/query-context.js';
import type { UdpCounters } from '../stats/transport-counters.js';
import type { FaultLog } from './fault-log.js';
import { type RateLimiter, VERDICT } from './rate-limiter.js';
import { writeSlip } from './slip.js';
import { writeSourceAddress } from './source-address.js';
import type { HandleQuery } from './udp-transport.js';

export interface UdpSocketOptions {
  readonly handleQuery: HandleQuery;
  /** A context for this socket alone, set to UDP. */
  readonly createContext: () => QueryContext;
  readonly maxPayloadOctets: number;
  readonly receiveBufferOctets: number;
  /** Undefined: no limit. */
  readonly rateLimiter: RateLimiter | undefined;
  readonly exemptNetworks: BlockList;
  readonly counters: UdpCounters;
  readonly faults: FaultLog;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Answers that wait in this process because the kernel takes no more; beyond it queries go unanswered. */
const MAX_QUEUED_OCTETS = 1_048_576;

/**
 * One UDP socket, bound to one address, so that answers leave from the address that was asked (RFC 2181 s4).
 * Nothing here waits: a query is answered, or not, before the next is looked at.
 */
export class UdpSocket {
  readonly #options: UdpSocketOptions;
  readonly #socket: Socket;
  readonly #context: QueryContext;
  readonly #onSent: (error: Error | null) => void;

  private constructor(options: UdpSocketOptions, socket: Socket) {
    this.#options = options;
    this.#socket = socket;
    this.#context = options.createContext();
    this.#context.outputCapacity = options.maxPayloadOctets;
    this.#context.output = Buffer.allocUnsafe(options.maxPayloadOctets);
    this.#onSent = (error) => {
      if (error) options.counters.sendErrors++;
    };
    socket.on('message', (query, source) => {
      this.#answer(query, source);
    });
    socket.on('error', (error) => {
      options.log.warn({ err: error }, 'a UDP socket reported an error');
    });
  }

  /** Binds a socket; rejects with the system's error if that cannot be done. */
  static async bind(address: string, port: number, options: UdpSocketOptions): Promise<UdpSocket> {
    const isV6 = isIPv6(address);
    const socket = createSocket({
      type: isV6 ? 'udp6' : 'udp4',
      ipv6Only: isV6,
      // Addresses are always literal, so looking them up would only put each answer off.
      lookup: (literal, _options, callback) => {
        callback(null, literal, isV6 ? 6 : 4);
      },
    });
    await new Promise<void>((resolve, reject) => {
      socket.once('error', (error) => {
        socket.close();
        reject(error);
      });
      socket.bind({ address, port }, resolve);
    });
    socket.removeAllListeners('error');
    enlargeReceiveBuffer(socket, options);
    return new UdpSocket(options, socket);
  }

  get port(): number {
    return this.#socket.address().port;
  }

  async close(): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#socket.close(resolve);
    });
  }

  #answer(query: Buffer, source: RemoteInfo): void {
    const { handleQuery, counters, faults, clock } = this.#options;
    // No answer can be sent to port 0; only a forged query comes from there.
    if (source.port === 0 || this.#isSendQueueFull()) return;
    const context = this.#context;
    const nowMs = clock.now();
    context.input = query;
    context.inputLength = query.length;
    context.clockSeconds = Math.floor(nowMs / 1_000);
    writeSourceAddress(context.sourceAddress, source.address);
    let length = handleQuery(context);
    counters.queries.count(context, length);
    if (context.fault !== null) faults.report(context.fault);
    if (length > 0) length = this.#limitRate(length, source, nowMs);
    if (length > 0) {
      this.#socket.send(context.output, 0, length, source.port, source.address, this.#onSent);
    }
  }

  /** The length of what may be sent: the answer, a truncated one in its place, or nothing. */
  #limitRate(length: number, source: RemoteInfo, nowMs: number): number {
    const { rateLimiter, exemptNetworks, counters } = this.#options;
    const context = this.#context;
    // RFC 7873 s5.2.5: a client that has shown where it is cannot be somebody else's victim.
    if (rateLimiter === undefined || context.hasValidCookie) return length;
    const verdict = rateLimiter.decide(context.sourceAddress, context.answerIdentity, nowMs);
    if (verdict === VERDICT.SEND) return length;
    const family = source.family === 'IPv6' ? 'ipv6' : 'ipv4';
    if (exemptNetworks.check(source.address, family)) return length;
    if (verdict === VERDICT.DROP) {
      counters.rateLimitDrops++;
      return 0;
    }
    counters.rateLimitSlips++;
    return writeSlip(context, length);
  }

  /**
   * An answer that the kernel did not take at once is queued where it lies, so the next must be written elsewhere;
   * and the queue has an end.
   */
  #isSendQueueFull(): boolean {
    const queued = this.#socket.getSendQueueSize();
    if (queued === 0) return false;
    if (queued > MAX_QUEUED_OCTETS) {
      this.#options.counters.sendQueueDrops++;
      return true;
    }
    this.#context.output = Buffer.allocUnsafe(this.#options.maxPayloadOctets);
    return false;
  }
}

/** Linux gives what it allows and says nothing; other systems refuse what is too much, and their default must do. */
function enlargeReceiveBuffer(
  socket: Socket,
  { receiveBufferOctets, log }: UdpSocketOptions,
): void {
  try {
    socket.setRecvBufferSize(receiveBufferOctets);
  } catch (error) {
    log.info({ err: error }, 'the receive buffer of a UDP socket could not be enlarged');
  }
}
