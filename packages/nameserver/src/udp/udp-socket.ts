import { createSocket, type RemoteInfo, type Socket } from 'node:dgram';
import { isIPv6 } from 'node:net';
import type { Clock, Logger } from '@zonewright/service-kit';
import type { QueryContext } from '../message/query-context.js';
import type { AnswerRelayed, ReceivedMessage } from '../relay/received-message.js';
import { isForOthers } from '../wire/header.js';
import { writeSourceAddress } from '../transport/source-address.js';
import { answerUdp, type UdpAnswerOptions } from './udp-answer.js';

export interface UdpSocketOptions extends UdpAnswerOptions {
  /** Creates a context that only this socket uses, set to UDP. */
  readonly createContext: () => QueryContext;
  readonly maxPayloadOctets: number;
  readonly receiveBufferOctets: number;
  /** Undefined if updates are refused, and only the keys of peers are known. */
  readonly answerRelayed: AnswerRelayed | undefined;
  readonly clock: Clock;
  readonly log: Logger;
}

/**
 * Maximum size of responses that wait in this process while the kernel's buffer is full. Above it, queries are not
 * answered.
 */
const MAX_QUEUED_OCTETS = 1_048_576;

/**
 * UDP socket that is bound to one address, so that responses are sent from the address that was queried (RFC 2181 s4).
 * It is synchronous: each query is answered or dropped before the next one is read.
 */
export class UdpSocket {
  readonly #options: UdpSocketOptions;
  readonly #socket: Socket;
  readonly #context: QueryContext;
  readonly #onSent: (error: Error | null) => void;
  #isClosed = false;

  private constructor(options: UdpSocketOptions, socket: Socket) {
    this.#options = options;
    this.#socket = socket;
    this.#context = options.createContext();
    this.#context.outputCapacity = options.maxPayloadOctets;
    this.#context.isRelaying = options.answerRelayed !== undefined;
    this.#context.output = Buffer.allocUnsafe(options.maxPayloadOctets);
    this.#onSent = (error) => {
      if (error) options.counters.countSendError();
    };
    socket.on('message', (query, source) => {
      this.#answer(query, source);
    });
    socket.on('error', (error) => {
      options.log.warn({ err: error }, 'a UDP socket reported an error');
    });
  }

  /** Binds a socket. Rejects with the system's error. */
  static async bind(address: string, port: number, options: UdpSocketOptions): Promise<UdpSocket> {
    const isV6 = isIPv6(address);
    const socket = createSocket({
      type: isV6 ? 'udp6' : 'udp4',
      ipv6Only: isV6,
      // Addresses are literal, and a lookup would only delay each response.
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
    this.#isClosed = true;
    await new Promise<void>((resolve) => {
      this.#socket.close(resolve);
    });
  }

  #answer(query: Buffer, source: RemoteInfo): void {
    // Nothing can be sent to port 0, which only forged queries use.
    if (source.port === 0 || this.#isSendQueueFull()) return;
    if (this.#options.answerRelayed !== undefined && isForOthers(query, 0, query.length)) {
      void this.#answerRelayed(query, source);
      return;
    }
    const context = this.#context;
    context.input = query;
    context.inputLength = query.length;
    writeSourceAddress(context.sourceAddress, source.address);
    const length = answerUdp(this.#options, context, this.#options.clock.now());
    if (length === 0) return;
    if (context.awaitsSignature) {
      const answer = Uint8Array.from(context.output.subarray(0, length));
      void this.#answerRelayed(query, source, { answer, hasCookie: context.hasValidCookie });
    } else {
      this.#socket.send(context.output, 0, length, source.port, source.address, this.#onSent);
    }
  }

  async #answerRelayed(
    query: Buffer,
    { address, port }: RemoteInfo,
    answered: Pick<ReceivedMessage, 'answer' | 'hasCookie'> = {},
  ): Promise<void> {
    const answer = await this.#options.answerRelayed?.({
      octets: Uint8Array.from(query),
      ...answered,
      source: address,
      transport: 'udp',
    });
    if (answer === undefined || this.#isClosed) return;
    this.#socket.send(answer, port, address, this.#onSent);
  }

  /**
   * Whether the send queue is full. A response that the kernel does not accept at once stays in its buffer, so the next
   * one needs another buffer, and the queue is limited.
   */
  #isSendQueueFull(): boolean {
    const queued = this.#socket.getSendQueueSize();
    if (queued === 0) return false;
    if (queued > MAX_QUEUED_OCTETS) {
      this.#options.counters.countSendQueueDrop();
      return true;
    }
    this.#context.output = Buffer.allocUnsafe(this.#options.maxPayloadOctets);
    return false;
  }
}

/**
 * Enlarges the receive buffer. Linux grants the allowed size without an error. Other systems refuse larger sizes, and
 * their default is used then.
 */
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
