import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** A small TCP proxy in front of PostgreSQL, which interrupts the network for one test only. */
export class Proxy {
  readonly #target: URL;
  readonly #sockets = new Set<Socket>();
  readonly #server: Server;
  #port = 0;
  #isStalled = false;

  constructor(url: string) {
    this.#target = new URL(url);
    this.#server = createServer((client) => {
      this.#accept(client);
    });
  }

  /** The URL through the proxy; known after the first start. */
  get url(): string {
    const url = new URL(this.#target);
    url.hostname = '127.0.0.1';
    url.port = String(this.#port);
    return url.toString();
  }

  /** Listens, each time on the same port. */
  async start(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(this.#port, '127.0.0.1', resolve));
    this.#port = (this.#server.address() as AddressInfo).port;
  }

  /** Ends all connections and refuses new ones. */
  async stop(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve));
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }

  /** Keeps connections open, accepts new ones, and forwards nothing. */
  stall(): void {
    this.#isStalled = true;
    this.strand();
  }

  /** Stops forwarding on existing connections; new ones work. */
  strand(): void {
    for (const socket of this.#sockets) socket.pause();
  }

  resume(): void {
    this.#isStalled = false;
    for (const socket of this.#sockets) socket.resume();
  }

  #accept(client: Socket): void {
    const server = connect(Number(this.#target.port || 5432), this.#target.hostname);
    for (const [from, to] of [
      [client, server],
      [server, client],
    ] as const) {
      this.#sockets.add(from);
      from.on('data', (chunk) => to.write(chunk));
      from.on('error', () => to.destroy());
      from.on('close', () => {
        this.#sockets.delete(from);
        to.destroy();
      });
      if (this.#isStalled) from.pause();
    }
  }
}
