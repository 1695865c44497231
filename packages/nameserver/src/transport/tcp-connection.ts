import type { Socket } from 'node:net';
import type { AnswerStream } from './transport.js';
import { MessageFraming } from './message-framing.js';

interface TcpConnectionOptions {
  readonly socket: Socket;
  /** Returns the framed answer to a message, or a stream of answers. Undefined if it gets none. */
  readonly answer: (message: Uint8Array) => Uint8Array | AnswerStream | undefined;
  /** Called when a complete query arrived or answers were sent. */
  readonly onUseful: (connection: TcpConnection) => void;
  readonly onClosed: (connection: TcpConnection) => void;
}

/**
 * TCP connection. Queries can be sent without waiting for answers (RFC 7766 s6.2.1.1), and each is answered as soon as
 * it is complete.
 *
 * A client that sends faster than it reads has to wait. While more answers are queued than the socket's high-water
 * mark, no received query is answered and nothing more is read. A connection therefore needs at most the memory of that
 * mark, one answer, and two pieces of received data.
 */
export class TcpConnection {
  readonly #socket: Socket;
  readonly #options: TcpConnectionOptions;
  readonly #framing = new MessageFraming();
  readonly #onSent: (error?: Error | null) => void;
  #onDrain: (() => void) | undefined;
  #hasPeerEnded = false;
  /** Whether a stream is being sent. Further queries wait for it. */
  #isStreaming = false;

  constructor(options: TcpConnectionOptions) {
    const { socket } = options;
    this.#socket = socket;
    this.#options = options;
    this.#onSent = (error) => {
      if (!error) options.onUseful(this);
    };
    // Answers are written as a whole, so a delay has no benefit.
    socket.setNoDelay(true);
    socket.on('data', (chunk: Buffer) => {
      if (!socket.writable) return;
      this.#framing.push(chunk);
      this.#answerQueries();
    });
    // The client will send nothing more but may still read (RFC 7766 s6.2.4), so its queries are answered first.
    socket.on('end', () => {
      this.#hasPeerEnded = true;
      this.#answerQueries();
    });
    socket.on('drain', () => {
      this.#onDrain?.();
      this.#answerQueries();
    });
    // The event 'close' follows. Operators need not know that a client reset its connection.
    socket.on('error', () => undefined);
    socket.on('close', () => {
      this.#onDrain?.();
      options.onClosed(this);
    });
  }

  /**
   * Accepts no more queries and ends when the waiting answers are sent. It closes when the client does: closing with
   * unread octets would reset the connection, and the client would lose answers that it has not read yet.
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
    // Answers to queries that arrived in one piece are sent in one piece.
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
  /** Whether further queries must wait. */
  #mustWait(): boolean {
    return this.#socket.writableNeedDrain || this.#isStreaming;
  }

  /**
   * Sends a stream no faster than the client reads. If the stream fails, the connection is in the middle of an answer
   * and is closed.
   */
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
