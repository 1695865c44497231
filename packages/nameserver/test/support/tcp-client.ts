import { connect, type Socket } from 'node:net';
import { afterEach } from '@jest/globals';
import { waitFor } from '@zonewright/testkit';

interface TcpClientOptions {
  readonly host: string;
  readonly port: number;
  /** The source address, if a test needs a specific one. */
  readonly localAddress?: string;
}

const open = new Set<Socket>();

/** A DNS client over TCP with which a test controls each octet. */
export class TcpClient {
  readonly socket: Socket;
  readonly #messages: Buffer[] = [];
  #pending: Buffer[] = [];
  #pendingOctets = 0;
  /** Whether the server has sent its FIN, or reset the connection. */
  hasEnded = false;

  private constructor(options: TcpClientOptions) {
    this.socket = connect({ ...options, allowHalfOpen: true });
    open.add(this.socket);
    this.socket.on('data', (chunk) => {
      this.#receive(chunk);
    });
    this.socket.on('end', () => (this.hasEnded = true));
    this.socket.on('error', () => (this.hasEnded = true));
    this.socket.on('close', () => {
      this.hasEnded = true;
      open.delete(this.socket);
    });
  }

  static async connect(options: TcpClientOptions): Promise<TcpClient> {
    const client = new TcpClient(options);
    await waitFor(() => client.socket.readyState === 'open' || client.hasEnded);
    return client;
  }

  /** Sends messages, each with its length, in one write. */
  send(...messages: Uint8Array[]): void {
    this.socket.write(Buffer.concat(messages.map(frame)));
  }

  /** Returns the complete messages that have arrived so far. */
  messages(): readonly Buffer[] {
    return this.#messages;
  }

  async waitForMessages(count: number, deadlineMs?: number): Promise<readonly Buffer[]> {
    return await waitFor(() => {
      const messages = this.messages();
      return messages.length >= count && messages;
    }, deadlineMs);
  }

  async waitForEnd(deadlineMs?: number): Promise<void> {
    await waitFor(() => this.hasEnded, deadlineMs);
  }

  #receive(chunk: Buffer): void {
    this.#pending.push(chunk);
    this.#pendingOctets += chunk.length;
    for (;;) {
      const first = this.#pending[0];
      if (first === undefined || this.#pendingOctets < 2) return;
      const start = first.length >= 2 ? first : Buffer.concat(this.#pending);
      const length = 2 + start.readUInt16BE(0);
      if (this.#pendingOctets < length) return;
      const all = Buffer.concat(this.#pending);
      this.#messages.push(all.subarray(2, length));
      this.#pending = length < all.length ? [all.subarray(length)] : [];
      this.#pendingOctets = all.length - length;
    }
  }
}

export function frame(message: Uint8Array): Buffer {
  const framed = Buffer.alloc(2 + message.length);
  framed.writeUInt16BE(message.length);
  framed.set(message, 2);
  return framed;
}

afterEach(() => {
  for (const socket of open) socket.destroy();
  open.clear();
});
