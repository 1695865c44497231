import {
  createServer,
  request,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import { type AddressInfo } from 'node:net';

/** Faults of requests, with their probability. */
const SHARES = { cut: 0.1, refused: 0.05, lost: 0.05, late: 0.05 };
const LATE_MS = 300;

/**
 * Proxy between a client and an HTTP service: closes connections after requests, responds with 503 before or after
 * them, or delays them.
 */
export class UnreliableProxy {
  readonly #server: Server;
  readonly #target: URL;
  readonly #random: () => number;
  /** Number of faults of each kind. */
  readonly happened = { cut: 0, refused: 0, lost: 0, late: 0, none: 0 };

  /** @param random returns a number from 0 to 1 */
  constructor(target: string, random: () => number) {
    this.#target = new URL(target);
    this.#random = random;
    this.#server = createServer((incoming, outgoing) => {
      this.#pass(incoming, outgoing);
    });
  }

  /** @returns the URL */
  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #choose(): keyof UnreliableProxy['happened'] {
    let left = this.#random();
    for (const [name, share] of Object.entries(SHARES)) {
      if (left < share) return name as keyof typeof SHARES;
      left -= share;
    }
    return 'none';
  }

  #pass(incoming: IncomingMessage, outgoing: ServerResponse): void {
    const fate = this.#choose();
    this.happened[fate] += 1;
    if (fate === 'refused') {
      incoming.resume();
      outgoing.writeHead(503).end();
      return;
    }
    const { hostname, port } = this.#target;
    const { method, url: path, headers } = incoming;
    const upstream = request({ hostname, port, method, path, headers }, (answer) => {
      // The service has performed the request, and its response is lost.
      if (fate === 'cut') incoming.socket.destroy();
      else if (fate === 'lost') outgoing.writeHead(503).end();
      else {
        const pass = () => {
          outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
          answer.pipe(outgoing);
        };
        if (fate === 'late') setTimeout(pass, LATE_MS);
        else pass();
        return;
      }
      answer.resume();
    });
    upstream.on('error', () => {
      incoming.socket.destroy();
    });
    incoming.pipe(upstream);
  }
}
