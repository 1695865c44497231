import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { Counter, Gauge, type Registry } from 'prom-client';
import { listen } from '../http/ports.js';
import { logOutput } from '../logging/log-output.js';
import { redactUrlCredentials } from '../logging/redact.js';

/** Resolves if the dependency can be used. A resolved text replaces "ok". The message of a rejection is the reason. */
export type ReadinessCheck = () => Promise<unknown>;

/** Time limit of a check. Orchestrators time out after about a second, so a probe must not wait for its dependency. */
const CHECK_TIMEOUT_MS = 900;

interface OperationsServerOptions {
  readonly host: string;
  readonly port: number;
  readonly registry: Registry;
  readonly checks: Readonly<Record<string, ReadinessCheck>>;
}

/**
 * Server for operators on its own port: `/healthz` (the process runs), `/readyz` (its dependencies can be used; 503
 * names those that cannot) and `/metrics` (Prometheus text).
 */
export class OperationsServer {
  readonly #server: Server;
  readonly #options: OperationsServerOptions;

  constructor(options: OperationsServerOptions) {
    this.#options = options;
    registerReadiness(options);
    registerDroppedLines(options.registry);
    this.#server = createServer((request, response) => {
      // An error of a metric must not end the process.
      this.#answer(request, response).catch(() => {
        sendJson(response, 500, { status: 'failed' });
      });
    });
  }

  /** Listens and returns the port. */
  async start(): Promise<number> {
    const { host, port } = this.#options;
    return await listen(this.#server, port, host);
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
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      response.setHeader('allow', 'GET, HEAD');
      sendJson(response, 405, { status: 'method not allowed' });
      return;
    }
    const [path] = (request.url ?? '').split('?');
    switch (path) {
      case '/healthz':
        sendJson(response, 200, { status: 'ok' });
        return;
      case '/readyz':
        await this.#answerReadiness(response);
        return;
      case '/metrics': {
        const metrics = await this.#options.registry.metrics();
        response.setHeader('content-type', this.#options.registry.contentType);
        response.end(metrics);
        return;
      }
      default:
        sendJson(response, 404, {
          status: 'not found',
          paths: ['/healthz', '/readyz', '/metrics'],
        });
    }
  }

  async #answerReadiness(response: ServerResponse): Promise<void> {
    const outcomes = await outcomesOf(this.#options.checks);
    const isReady = outcomes.every(({ isPassed }) => isPassed);
    sendJson(response, isReady ? 200 : 503, {
      status: isReady ? 'ok' : 'unavailable',
      checks: Object.fromEntries(outcomes.map(({ name, text }) => [name, text])),
    });
  }
}

/** Exports the results of the checks as a metric, so that Prometheus need not probe `/readyz`. */
function registerReadiness({ registry, checks }: OperationsServerOptions): void {
  new Gauge({
    name: 'zonewright_ready',
    help: '1 if the service can use the dependency in the label.',
    labelNames: ['check'],
    registers: [registry],
    async collect() {
      for (const { name, isPassed } of await outcomesOf(checks)) {
        this.set({ check: name }, Number(isPassed));
      }
    },
  });
}

/** Exports the number of dropped log lines, which the log cannot report while it is not writable. */
function registerDroppedLines(registry: Registry): void {
  new Counter({
    name: 'zonewright_log_lines_dropped_total',
    help: 'Lines of the log that could not be written.',
    registers: [registry],
    collect() {
      this.reset();
      this.inc(logOutput().dropped);
    },
  });
}

async function outcomesOf(
  checks: OperationsServerOptions['checks'],
): Promise<(CheckOutcome & { readonly name: string })[]> {
  return Promise.all(
    Object.entries(checks).map(async ([name, check]) => ({ name, ...(await outcomeOf(check)) })),
  );
}

interface CheckOutcome {
  readonly isPassed: boolean;
  readonly text: string;
}

async function outcomeOf(check: ReadinessCheck): Promise<CheckOutcome> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<CheckOutcome>((resolve) => {
    timer = setTimeout(() => {
      resolve({ isPassed: false, text: `no response within ${CHECK_TIMEOUT_MS} ms` });
    }, CHECK_TIMEOUT_MS);
  });
  const result = Promise.resolve()
    .then(check)
    .then(
      (remark) => ({ isPassed: true, text: typeof remark === 'string' ? remark : 'ok' }),
      (error: unknown) => ({ isPassed: false, text: describeFailure(error) }),
    );
  try {
    return await Promise.race([result, timeout]);
  } finally {
    clearTimeout(timer);
  }
}

function describeFailure(error: unknown): string {
  if (!(error instanceof Error)) return redactUrlCredentials(String(error));
  // The AggregateError of several refused addresses has a code and no message.
  const { message, name, code = name } = error as NodeJS.ErrnoException;
  return redactUrlCredentials(message === '' ? code : message);
}

function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}
