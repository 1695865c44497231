import {
  type Message,
  MessageSyntaxError,
  QR_FLAG,
  RCODE,
  rcodeOf,
  type ReadMessage,
  readMessage,
  signRequest,
  TSIG_ERROR,
  TsigAnswerChecker,
  type TsigKey,
  writeMessage,
} from '@zonewright/dns-records';
import { TransferFault } from '@zonewright/zones';
import { randomInt } from 'node:crypto';
import { connect, type Socket } from 'node:net';

interface ConnectionOptions {
  readonly address: string;
  readonly port: number;
  /** Undefined if responses are not signed. */
  readonly key: TsigKey | undefined;
  /** Maximum total size of all responses, in octets. */
  readonly maxOctets: number;
  readonly signal: AbortSignal;
}

/** One message of a response. */
export interface AnswerMessage {
  readonly octets: Buffer;
  readonly message: ReadMessage;
  /** Whether a signature covers everything received so far. Not every message has one (RFC 8945 s5.3.1). */
  readonly isCovered: boolean;
}

/** The maximum time between two parts of a primary's response. */
const IDLE_MS = 10_000;
const LENGTH_OCTETS = 2;

/** A TCP connection to an external server, which may be slow, faulty or hostile. Time and size are limited. */
export class PrimaryConnection {
  readonly #options: ConnectionOptions;
  readonly #socket: Socket;
  readonly #frames: AsyncGenerator<Buffer, void>;

  private constructor(options: ConnectionOptions, socket: Socket) {
    this.#options = options;
    this.#socket = socket;
    this.#frames = readFrames(socket, options.maxOctets);
  }

  /** Opens the connection, which is established with the first question. */
  static open(options: ConnectionOptions): PrimaryConnection {
    const { address, port, signal } = options;
    // Errors are reported by the code that waits for the response.
    const socket = connect({ host: address, port, signal, noDelay: true });
    socket.setTimeout(IDLE_MS, () =>
      socket.destroy(new TransferFault('unreachable', 'it did not answer in time')),
    );
    socket.on('error', () => undefined);
    return new PrimaryConnection(options, socket);
  }

  close(): void {
    this.#socket.destroy();
  }

  /**
   * Yields the messages of the response as the caller reads them, each well-formed and with a valid signature.
   * @throws TransferFault
   */
  async *ask(
    parts: Pick<Message, 'questions'> & Partial<Message>,
  ): AsyncGenerator<AnswerMessage, void> {
    const { key } = this.#options;
    const id = randomInt(0x1_0000);
    const request = writeMessage({ ...parts, id, flags: 0 });
    const signed = key && signRequest(request, key, Date.now() / 1_000);
    this.#send(signed?.message ?? request);
    const checker = key && signed && new TsigAnswerChecker(key, signed.mac);
    for (;;) {
      const octets = await this.#next();
      const message = readAnswer(octets, id);
      requireSuccess(message);
      if (checker !== undefined) requireSignature(checker, octets, message);
      yield { octets, message, isCovered: checker?.isComplete ?? true };
    }
  }

  #send(message: Uint8Array): void {
    const length = Buffer.alloc(LENGTH_OCTETS);
    length.writeUInt16BE(message.length);
    this.#socket.write(Buffer.concat([length, message]));
  }

  async #next(): Promise<Buffer> {
    try {
      const { value } = await this.#frames.next();
      if (value !== undefined) return value;
    } catch (error) {
      if (error instanceof TransferFault) throw error;
      throw new TransferFault('unreachable', 'it cannot be reached or closed the connection', {
        cause: error,
      });
    }
    throw new TransferFault('unreachable', 'it closed the connection');
  }
}

async function* readFrames(socket: Socket, maxOctets: number): AsyncGenerator<Buffer, void> {
  let waiting: Buffer = Buffer.alloc(0);
  let octets = 0;
  for await (const chunk of socket as AsyncIterable<Buffer>) {
    octets += chunk.length;
    if (octets > maxOctets)
      throw new TransferFault('too-large', `it sent more than ${maxOctets} octets`);
    waiting = waiting.length === 0 ? chunk : Buffer.concat([waiting, chunk]);
    let start = 0;
    while (waiting.length - start >= LENGTH_OCTETS) {
      const end = start + LENGTH_OCTETS + waiting.readUInt16BE(start);
      if (end > waiting.length) break;
      // A copy is returned, so that keeping a part of a message does not keep the whole buffer in memory.
      yield Buffer.from(waiting.subarray(start + LENGTH_OCTETS, end));
      start = end;
    }
    waiting = waiting.subarray(start);
  }
}

function requireSignature(checker: TsigAnswerChecker, octets: Buffer, { tsig }: ReadMessage): void {
  const fault = checker.check(octets, tsig, Date.now() / 1_000);
  if (fault === undefined) return;
  throw new TransferFault('signature', `the signature of its response is wrong (${fault})`);
}

function readAnswer(octets: Buffer, id: number): ReadMessage {
  try {
    const message = readMessage(octets);
    if (message.id === id && (message.flags & QR_FLAG) !== 0) return message;
  } catch (error) {
    if (!(error instanceof MessageSyntaxError)) throw error;
    throw new TransferFault('malformed', 'its response is not a DNS message', { cause: error });
  }
  throw new TransferFault('malformed', 'its response does not match the query');
}

function requireSuccess(message: ReadMessage): void {
  const rcode = rcodeOf(message);
  if (rcode === RCODE.NOERROR) return;
  const name = nameOf(RCODE, rcode);
  const error = message.tsig?.error ?? 0;
  const tsig = error === 0 ? '' : ` (${nameOf(TSIG_ERROR, error)})`;
  throw new TransferFault('error-response', `it answered with ${name}${tsig}`);
}

function nameOf(numbers: Readonly<Record<string, number>>, number: number): string {
  return Object.keys(numbers).find((name) => numbers[name] === number) ?? String(number);
}
