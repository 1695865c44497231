import { createSocket, type RemoteInfo, type Socket } from 'node:dgram';
import { isIPv6 } from 'node:net';
import type { Clock, Logger } from '@zonewright/service-kit';
import type { QueryContext } from '../message/query-context.js';
import type { AnswerRelayed, ReceivedMessage } from '../relay/received-message.js';
import { isForOthers } from '../wire/header.js';
import { writeSourceAddress } from '../transport/source-address.js';
import { answerUdp, type UdpAnswerOptions } from './udp-answer.js';

export interface UdpSocketOptions extends UdpAnswerOptions {
  /** A context for this socket alone, set to UDP. */
  readonly createContext: () => QueryContext;
  readonly maxPayloadOctets: number;
  readonly receiveBufferOctets: number;
  /** Undefined: updates are refused, and only keys of peers are known. */
  readonly answerRelayed: AnswerRelayed | undefined;
  readonly clock: Clock;
  readonly log: Logger;
}

/**
 * Maximum octets of answers that wait in this process while the kernel's buffer is full. Beyond it queries go
 * unanswered.
 */
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
    this.#isClosed = true;
    await new Promise<void>((resolve) => {
      this.#socket.close(resolve);
    });
  }

  #answer(query: Buffer, source: RemoteInfo): void {
    // No answer can be sent to port 0; only a forged query comes from there.
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
   * An answer that the kernel did not take at once is queued where it lies, so the next must be written elsewhere;
   * and the queue has an end.
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
