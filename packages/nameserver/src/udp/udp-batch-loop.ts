import type { QueryContext } from '../message/query-context.js';
import type { ImageReader } from '../image/image-reader.js';
import { type Libc, systemError } from '../transport/libc.js';
import { isForOthers } from '../wire/header.js';
import { answerUdp, type UdpAnswerOptions } from './udp-answer.js';
import { BATCH, BatchBuffers, type QueryOrigin } from './udp-batch-buffers.js';
import { type BatchSocket, WAIT_MS } from './udp-batch-socket.js';
import type { RelayQueue } from './udp-relay-queue.js';

interface BatchLoopOptions extends UdpAnswerOptions {
  readonly libc: Libc;
  readonly sockets: readonly BatchSocket[];
  readonly image: ImageReader;
  readonly context: QueryContext;
  readonly maxPayloadOctets: number;
  /** Undefined if updates are answered like queries, and no answer waits for a signature. */
  readonly onRelayed: ((update: UdpRelayed) => void) | undefined;
  /** Queue of relayed messages. If it is full, messages are lost, as is possible over UDP; clients repeat them. */
  readonly relayQueue: RelayQueue;
  readonly isStopped: () => boolean;
}

/** Copy of a message that must be answered elsewhere, with everything that its answer needs. */
export interface UdpRelayed {
  readonly octets: Uint8Array;
  /** Answer to a query, to be signed. */
  readonly answer?: Uint8Array;
  readonly hasCookie?: boolean;
  /** Source address in sixteen octets. */
  readonly source: Uint8Array;
  readonly origin: QueryOrigin;
  readonly socket: BatchSocket;
}

// Linux, the same on x86-64 and arm64.
const MSG_DONTWAIT = 0x40;
/** Wait for the first message, then read the messages that have arrived. */
const MSG_WAITFORONE = 0x10000;
const EINTR = 4;
const EAGAIN = 11;
const POLLIN = 1;
/** struct pollfd: descriptor, requested and returned events. */
const POLLFD_WORDS = 2;

/** Maximum number of batches per socket that are answered after a stop, from its queue. */
const LAST_BATCHES = 64;

/**
 * Answers queries in batches, each with one system call to receive and one to send, until it is stopped. The thread
 * does nothing else: it blocks in the kernel while there is nothing to answer.
 */
export class BatchLoop {
  readonly #options: BatchLoopOptions;
  readonly #buffers: BatchBuffers;
  readonly #pollFds: Int32Array;

  constructor(options: BatchLoopOptions) {
    this.#options = options;
    this.#buffers = new BatchBuffers(options.libc, options.maxPayloadOctets);
    this.#pollFds = Int32Array.from(options.sockets.flatMap(({ fd }) => [fd, POLLIN]));
    const { context } = options;
    context.input = this.#buffers.messages;
    context.output = this.#buffers.messages;
    context.outputCapacity = options.maxPayloadOctets;
    context.isRelaying = options.onRelayed !== undefined;
  }

  /** Returns when stopped. Throws if a socket fails. */
  run(): void {
    try {
      while (!this.#options.isStopped()) this.#answerNext();
      this.#answerWaiting();
    } finally {
      this.#buffers.free();
    }
  }

  #answerNext(): void {
    const { sockets, libc } = this.#options;
    const [only] = sockets;
    if (only !== undefined && sockets.length === 1) {
      this.#answerBatch(only, MSG_WAITFORONE);
      return;
    }
    let answered = 0;
    for (const socket of sockets) answered += this.#answerBatch(socket, MSG_DONTWAIT);
    if (answered === 0) {
      libc.poll(this.#pollFds, this.#pollFds.length / POLLFD_WORDS, WAIT_MS);
    }
  }

  #answerWaiting(): void {
    for (const socket of this.#options.sockets) {
      let batches = 0;
      while (batches < LAST_BATCHES && this.#answerBatch(socket, MSG_DONTWAIT) > 0) batches++;
    }
  }

  /** Returns the number of received queries. */
  #answerBatch(socket: BatchSocket, flags: number): number {
    const { libc, image } = this.#options;
    this.#buffers.reset();
    const received = libc.recvmmsg(socket.fd, this.#buffers.queryHeaders, BATCH, flags);
    if (received < 0) {
      const errno = libc.errno();
      if (errno === EAGAIN || errno === EINTR) return 0;
      throw systemError(libc, 'recvmmsg');
    }
    image.enter();
    const answers = this.#answerQueries(socket, received);
    image.leave();
    this.#send(socket, answers);
    return received;
  }

  #answerQueries(socket: BatchSocket, queries: number): number {
    const { context, onRelayed, relayQueue } = this.#options;
    const buffers = this.#buffers;
    const nowMs = Date.now();
    let answers = 0;
    for (let query = 0; query < queries; query++) {
      // No answer can be sent to port 0, which only forged queries use.
      if (buffers.sourcePort(query) === 0) continue;
      context.inputStart = buffers.queryStart(query);
      context.inputLength = buffers.queryLength(query);
      context.outputStart = buffers.answerStart(answers);
      buffers.writeSource(query, socket, context.sourceAddress);
      if (
        onRelayed !== undefined &&
        isForOthers(context.input, context.inputStart, context.inputLength)
      ) {
        if (relayQueue.enter(context.sourceAddress)) onRelayed(this.#copyQuery(socket, query));
        continue;
      }
      const length = answerUdp(this.#options, context, nowMs);
      if (length === 0) continue;
      if (context.awaitsSignature) {
        if (relayQueue.enter(context.sourceAddress)) {
          onRelayed?.(this.#copyAnswered(socket, query, length));
        }
        continue;
      }
      buffers.address(answers, length, query, socket);
      answers++;
    }
    return answers;
  }

  #copyQuery(socket: BatchSocket, query: number): UdpRelayed {
    const { input, inputStart, inputLength, sourceAddress } = this.#options.context;
    return {
      octets: input.slice(inputStart, inputStart + inputLength),
      source: sourceAddress.slice(),
      origin: this.#buffers.originOf(query),
      socket,
    };
  }

  #copyAnswered(socket: BatchSocket, query: number, length: number): UdpRelayed {
    const { output, outputStart, hasValidCookie: hasCookie } = this.#options.context;
    const answer = output.slice(outputStart, outputStart + length);
    return { ...this.#copyQuery(socket, query), answer, hasCookie };
  }

  /** Sends answers. One that cannot be sent is lost, as is possible over UDP; the others are sent. */
  #send(socket: BatchSocket, answers: number): void {
    const { libc, counters } = this.#options;
    const headers = this.#buffers.answerHeaders;
    const headerOctets = headers.length / BATCH;
    for (let sent = 0; sent < answers;) {
      const rest = sent === 0 ? headers : headers.subarray(sent * headerOctets);
      const count = libc.sendmmsg(socket.fd, rest, answers - sent, 0);
      if (count <= 0) counters.countSendError();
      sent += Math.max(1, count);
    }
  }
}
