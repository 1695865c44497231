import type { Socket } from 'node:net';
import type { AnswerStream } from './transport.js';
import { MessageFraming } from './message-framing.js';

interface TcpConnectionOptions {
  readonly socket: Socket;
  /** The framed answer to a message, or several that are made one after the other, or undefined if it gets none. */
  readonly answer: (message: Uint8Array) => Uint8Array | AnswerStream | undefined;
  /** A complete query came in or answers went out. */
  readonly onUseful: (connection: TcpConnection) => void;
  readonly onClosed: (connection: TcpConnection) => void;
}

/**
 * One TCP connection: any number of queries, sent without waiting for answers (RFC 7766 s6.2.1.1), each answered as
 * soon as it is complete.
 *
 * A client that sends faster than it reads has to wait. While more answers are queued than the socket's high-water
 * mark, no received query is answered and nothing further is read. So a connection holds at most that mark, one
 * answer, and two pieces of received data.
 */
export class TcpConnection {
  readonly #socket: Socket;
  readonly #options: TcpConnectionOptions;
  readonly #framing = new MessageFraming();
  readonly #onSent: (error?: Error | null) => void;
  #onDrain: (() => void) | undefined;
  #hasPeerEnded = false;
  /** Further queries wait behind it. */
  #isStreaming = false;

  constructor(options: TcpConnectionOptions) {
    const { socket } = options;
    this.#socket = socket;
    this.#options = options;
    this.#onSent = (error) => {
      if (!error) options.onUseful(this);
    };
    // Answers are written whole, so there is nothing to gain from waiting for more.
    socket.setNoDelay(true);
    socket.on('data', (chunk: Buffer) => {
      if (!socket.writable) return;
      this.#framing.push(chunk);
      this.#answerQueries();
    });
    // The client will send no more but may still read (RFC 7766 s6.2.4): what it asked is answered first.
    socket.on('end', () => {
      this.#hasPeerEnded = true;
      this.#answerQueries();
    });
    socket.on('drain', () => {
      this.#onDrain?.();
      this.#answerQueries();
    });
    // 'close' follows. Operators need not know that a client reset its connection.
    socket.on('error', () => undefined);
    socket.on('close', () => {
      this.#onDrain?.();
      options.onClosed(this);
    });
  }

  /**
   * Takes no more queries and ends when the answers that wait are sent. It closes when the client does: closing with
   * octets unread would reset the connection, and the client lose answers that it has not read yet.
   */
  finish(): void {
    this.#socket.end();
    this.#socket.resume();
  }

  /** Closes at once. */
  destroy(): void {
    this.#socket.destroy();
  }

  #answerQueries(): void {
    const socket = this.#socket;
    if (!socket.writable || this.#isStreaming) return;
    // Answers to queries that came in one piece leave in one piece.
    socket.cork();
    while (!socket.writableNeedDrain) {
      const message = this.#framing.next();
      if (message === undefined) break;
      const answer = this.#options.answer(message);
      if (answer === undefined) continue;
      if (!(answer instanceof Uint8Array)) {
        void this.#stream(answer);
        break;
      }
      this.#options.onUseful(this);
      socket.write(answer, this.#onSent);
    }
    socket.uncork();
    if (this.#mustWait()) socket.pause();
    else if (this.#hasPeerEnded) socket.end();
    else socket.resume();
  }
  /** Whether further queries stay where they are. */
  #mustWait(): boolean {
    return this.#socket.writableNeedDrain || this.#isStreaming;
  }

  /** No faster than the client reads. A stream that breaks leaves the connection in the middle of an answer: it is cut. */
  async #stream(answers: AnswerStream): Promise<void> {
    const socket = this.#socket;
    this.#isStreaming = true;
    try {
      for await (const answer of answers) {
        if (!socket.writable) return;
        this.#options.onUseful(this);
        socket.write(answer, this.#onSent);
        if (socket.writableNeedDrain) await this.#drained();
      }
    } catch {
      socket.destroy();
    } finally {
      this.#isStreaming = false;
    }
    this.#answerQueries();
  }

  async #drained(): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#onDrain = resolve;
    });
    this.#onDrain = undefined;
  }
}
