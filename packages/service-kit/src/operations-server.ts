import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Registry } from 'prom-client';

/** Resolves when the thing can be used; a rejection's message says why not. */
export type ReadinessCheck = () => Promise<void>;

/** A probe must not hang as long as the thing it asks about: orchestrators give up after a second or so. */
const CHECK_TIMEOUT_MS = 900;

interface OperationsServerOptions {
  readonly host: string;
  readonly port: number;
  readonly registry: Registry;
  readonly checks: Readonly<Record<string, ReadinessCheck>>;
}

/**
 * The port for operators, apart from the service's own: `/healthz` (the process runs), `/readyz` (what it
 * needs can be used; 503 names what cannot) and `/metrics` (Prometheus text).
 */
export class OperationsServer {
  readonly #server: Server;
  readonly #options: OperationsServerOptions;

  constructor(options: OperationsServerOptions) {
    this.#options = options;
    this.#server = createServer((request, response) => {
      void this.#answer(request, response);
    });
  }

  /** Listens and returns the port. */
  async start(): Promise<number> {
    const { host, port } = this.#options;
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen(port, host, resolve);
    });
    return (this.#server.address() as AddressInfo).port;
  }

  async stop(): Promise<void> {
    if (!this.#server.listening) return;
    await new Promise<void>((resolve) => {
      this.#server.close(() => {
        resolve();
      });
      this.#server.closeAllConnections();
    });
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    switch (request.url) {
      case '/healthz':
        sendJson(response, 200, { status: 'ok' });
        return;
      case '/readyz':
        await this.#answerReadiness(response);
        return;
      case '/metrics':
        response.setHeader('content-type', this.#options.registry.contentType);
        response.end(await this.#options.registry.metrics());
        return;
      default:
        sendJson(response, 404, {
          status: 'not found',
          paths: ['/healthz', '/readyz', '/metrics'],
        });
    }
  }

  async #answerReadiness(response: ServerResponse): Promise<void> {
    const results = await Promise.all(
      Object.entries(this.#options.checks).map(async ([name, check]) => [
        name,
        await outcome(check),
      ]),
    );
    const ready = results.every(([, result]) => result === 'ok');
    sendJson(response, ready ? 200 : 503, {
      status: ready ? 'ok' : 'unavailable',
      checks: Object.fromEntries(results) as Record<string, string>,
    });
  }
}

async function outcome(check: ReadinessCheck): Promise<string> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<string>((resolve) => {
    timer = setTimeout(() => {
      resolve(`no answer within ${CHECK_TIMEOUT_MS} ms`);
    }, CHECK_TIMEOUT_MS);
  });
  const result = check().then(
    () => 'ok',
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  );
  try {
    return await Promise.race([result, timeout]);
  } finally {
    clearTimeout(timer);
  }
}

function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}
