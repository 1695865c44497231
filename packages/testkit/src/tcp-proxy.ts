import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** Delay of a lost chunk, in one-way delays: two round trips until it is sent again, and its own transfer. */
const LOST_DELAYS = 5;

/**
 * TCP proxy on loopback that a test can close, stall and restore. It simulates faults of a network or a server, without
 * affecting the server that other tests use.
 */
export class TcpProxy {
  readonly #target: { host: string; port: number };
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #mode: 'open' | 'cut' | 'stalled' = 'open';
  readonly #late = new Set<DelayedWrites>();
  #delayMs = 0;
  #isLost = (): boolean => false;
  #port = 0;
  /** Bytes that the server may still send until the proxy stalls. */
  #stop: { octets: number; readonly reached: () => void } | undefined;

  constructor(target: { host: string; port: number }) {
    this.#target = target;
    this.#server = createServer((client) => {
      this.#accept(client);
    });
  }

  async start(): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen(0, '127.0.0.1', resolve);
    });
    this.#port = (this.#server.address() as AddressInfo).port;
  }

  get port(): number {
    return this.#port;
  }

  /** Closes all connections and refuses new ones, as for a stopped server. */
  cut(): void {
    this.#mode = 'cut';
    this.#destroyAll();
  }

  /** Keeps connections open and forwards nothing, as for a broken network. */
  stall(): void {
    this.#mode = 'stalled';
    for (const socket of this.#sockets) socket.pause();
  }

  /**
   * Stalls in the middle of the data that the server sends from now on. Resolves when this number of bytes has been
   * forwarded.
   */
  async stallAfter(octets: number): Promise<void> {
    await new Promise<void>((reached) => {
      this.#stop = { octets, reached };
    });
  }

  /** Forwards everything with a delay in each direction, as for a slow server. */
  delay(milliseconds: number): void {
    this.#delayMs = milliseconds;
  }

  /**
   * Loses the chunks for which the function returns true. TCP sends them again two round trips later (RFC 8985 s7.2),
   * and later data waits.
   */
  lose(isLost: () => boolean): void {
    this.#isLost = isLost;
  }

  /** Forwards everything again without a delay. */
  restore(): void {
    this.#mode = 'open';
    this.#stop = undefined;
    this.#delayMs = 0;
    this.#isLost = () => false;
    for (const late of this.#late) late.flush();
    for (const socket of this.#sockets) socket.resume();
  }

  async stop(): Promise<void> {
    this.#destroyAll();
    await new Promise<void>((resolve) => {
      this.#server.close(() => {
        resolve();
      });
    });
  }

  #destroyAll(): void {
    for (const socket of this.#sockets) socket.destroy();
    this.#sockets.clear();
  }

  #countSent(octets: number): void {
    if (this.#stop === undefined) return;
    this.#stop.octets -= octets;
    if (this.#stop.octets > 0) return;
    const { reached } = this.#stop;
    this.#stop = undefined;
    this.stall();
    reached();
  }

  #accept(client: Socket): void {
    if (this.#mode === 'cut') {
      client.resetAndDestroy();
      return;
    }
    const upstream = connect(this.#target);
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      this.#sockets.add(from);
      const late = new DelayedWrites(to);
      this.#late.add(late);
      from.on('data', (chunk) => {
        late.write(chunk, this.#isLost() ? this.#delayMs * LOST_DELAYS : this.#delayMs);
        if (from === upstream) this.#countSent(chunk.length);
      });
      from.on('end', () => to.end());
      from.on('error', () => to.destroy());
      from.on('close', () => {
        this.#sockets.delete(from);
        this.#late.delete(late);
        to.destroy();
      });
      if (this.#mode === 'stalled') from.pause();
    }
  }
}

/** Delayed data for one end of a connection, in order. */
class DelayedWrites {
  readonly #to: Socket;
  readonly #chunks: Buffer[] = [];
  #lastDue = 0;

  constructor(to: Socket) {
    this.#to = to;
  }

  write(chunk: Buffer, delayMs: number): void {
    if (delayMs === 0 && this.#chunks.length === 0) {
      this.#to.write(chunk);
      return;
    }
    this.#chunks.push(chunk);
    const now = performance.now();
    // Data is never sent before earlier data.
    this.#lastDue = Math.max(this.#lastDue, now + delayMs);
    setTimeout(() => {
      this.#writeNext();
    }, this.#lastDue - now).unref();
  }

  flush(): void {
    while (this.#chunks.length > 0) this.#writeNext();
  }

  #writeNext(): void {
    const chunk = this.#chunks.shift();
    if (chunk !== undefined && !this.#to.destroyed) this.#to.write(chunk);
  }
}

/** Starts a proxy in front of the server of a postgres:// or redis:// URL. Returns it with the new URL. */
export async function startProxy(url: string): Promise<{ proxy: TcpProxy; url: string }> {
  const through = new URL(url);
  const proxy = new TcpProxy({
    host: through.hostname,
    port: Number(through.port || (through.protocol === 'redis:' ? 6379 : 5432)),
  });
  await proxy.start();
  through.hostname = '127.0.0.1';
  through.port = String(proxy.port);
  return { proxy, url: through.toString() };
}
