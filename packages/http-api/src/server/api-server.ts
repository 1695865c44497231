import {
  createServer,
  type RequestListener,
  type Server,
  type ServerOptions,
  STATUS_CODES,
} from 'node:http';
import { createServer as createTlsServer, type Server as TlsServer } from 'node:https';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import {
  listen,
  type Logger,
  newRequestId,
  REQUEST_ID_HEADER,
  type Tracing,
} from '@zonewright/service-kit';
import { Counter, Gauge, type Registry } from 'prom-client';
import { MEDIA_TYPES } from '../messages/media-types.js';
import { Refusal, type RefusalCode } from '../messages/refusal.js';
import { type ApiSettings, tlsFileNames } from './api-settings.js';
import { allowOrigins } from './cors.js';
import { readTlsFiles, registerTlsMetrics, TlsFiles } from './tls-files.js';

interface ApiServerOptions {
  readonly listener: RequestListener;
  /** Answers requests that Node.js could not parse or did not receive in time, in the format of the API. */
  readonly answerBroken: (error: NodeJS.ErrnoException, socket: Duplex) => void;
  readonly settings: ApiSettings;
  readonly requestTimeoutMs: number;
  readonly registry: Registry;
  readonly metricPrefix: string;
  readonly log: Logger;
  readonly tracing?: Tracing | undefined;
}

/**
 * Time after which an idle connection is closed. Load balancers must close first, and their idle time is usually
 * shorter.
 */
const KEEP_ALIVE_TIMEOUT_MS = 65_000;
/** Time after which a connection without traffic is closed, for example if its client does not read the response. */
const STILL_TIMEOUT_MS = 120_000;
/** Precision of the request timeout. With the default of 30 s, Node.js would triple the timeout. */
const TIMEOUT_CHECK_INTERVAL_MS = 1_000;
/**
 * Interval of closing idle connections after the server has stopped listening: each becomes idle when its response is
 * sent.
 */
const CLOSE_CHECK_INTERVAL_MS = 25;

/** HTTP or HTTPS server of an API, with all its timeouts. */
export class ApiServer {
  readonly #server: Server | TlsServer;
  readonly #tls: TlsFiles | undefined;
  readonly scheme: 'http' | 'https';
  /** Reloads the certificate files. Undefined without TLS. */
  readonly reload: (() => void) | undefined;

  constructor(options: ApiServerOptions) {
    const { settings, answerBroken, tracing } = options;
    const tls = tlsFileNames(settings);
    const context = tls && readTlsFiles(tls);
    const serverOptions = serverOptionsOf(options);
    const traced = tracing?.traceRequests(options.listener) ?? options.listener;
    const listener = allowOrigins(settings.corsOrigins, traced);
    const guarded = requireHost(listener, answerBroken);
    if (tls === undefined || context === undefined) {
      this.scheme = 'http';
      registerTlsMetrics(options, () => undefined);
      this.#server = createServer(serverOptions, guarded);
    } else {
      this.scheme = 'https';
      const server = createTlsServer({ ...serverOptions, ...context }, guarded);
      const install = server.setSecureContext.bind(server);
      const files = new TlsFiles({ ...options, files: tls, install }, context);
      this.#server = server;
      this.#tls = files;
      this.reload = () => {
        files.reload();
      };
    }
    this.#server.setTimeout(STILL_TIMEOUT_MS);
    this.#server.on('clientError', answerBroken);
    // Unknown expectations may be ignored (RFC 9110 s10.1.1). Node.js would send an empty 417.
    this.#server.on('checkExpectation', guarded);
    // The body reader invites the body (inviteBody). Node.js would do so before the request is checked.
    this.#server.on('checkContinue', guarded);
    this.#server.maxConnections = settings.load.maxConnections;
    this.#countConnections(options);
  }

  /** @returns the port */
  async listen(port: number, host: string): Promise<number> {
    const listening = await listen(this.#server, port, host);
    this.#tls?.start();
    return listening;
  }

  /** Finishes requests in progress and accepts no new ones. */
  async stop(): Promise<void> {
    this.#tls?.stop();
    if (!this.#server.listening) return;
    const closed = new Promise<void>((resolve) => {
      this.#server.close(() => {
        resolve();
      });
    });
    const timer = setInterval(() => {
      this.#server.closeIdleConnections();
    }, CLOSE_CHECK_INTERVAL_MS);
    this.#server.closeIdleConnections();
    await closed;
    clearInterval(timer);
  }

  #countConnections({ registry, metricPrefix }: ApiServerOptions): void {
    const registers = [registry];
    const refused = new Counter({
      name: `${metricPrefix}_connections_refused_total`,
      help: 'Connections refused because of the limit.',
      registers,
    });
    this.#server.on('drop', () => {
      refused.inc();
      // Idle connections have been served already.
      this.#server.closeIdleConnections();
    });
    let open = 0;
    this.#server.on('connection', (socket: Socket) => {
      open += 1;
      socket.on('close', () => (open -= 1));
    });
    new Gauge({
      name: `${metricPrefix}_connections`,
      help: 'Open connections.',
      registers,
      collect() {
        this.set(open);
      },
    });
  }
}

/** Rejects HTTP/1.1 requests without a Host (RFC 9112 s3.2). Node.js would send an empty 400 without a request id. */
function requireHost(
  listener: RequestListener,
  answerBroken: ApiServerOptions['answerBroken'],
): RequestListener {
  return (request, response) => {
    if (request.headers.host !== undefined || request.httpVersion === '1.0') {
      listener(request, response);
    } else answerBroken(new Error('no Host'), request.socket);
  };
}

function serverOptionsOf({ requestTimeoutMs }: ApiServerOptions): ServerOptions {
  return {
    requireHostHeader: false,
    requestTimeout: requestTimeoutMs,
    headersTimeout: requestTimeoutMs,
    keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
    connectionsCheckingInterval: TIMEOUT_CHECK_INTERVAL_MS,
  };
}

const CODES: Readonly<Record<string, RefusalCode>> = {
  ERR_HTTP_REQUEST_TIMEOUT: 'too-slow',
  HPE_HEADER_OVERFLOW: 'header-too-large',
};

/**
 * Answers requests that Node.js could not parse or did not receive in time, in the format of the API. Node.js itself
 * would send only a status line.
 *
 * @param toJson - renders the body of a refusal
 */
export function answerBrokenRequest(toJson: (refusal: Refusal, requestId: string) => string) {
  return (error: NodeJS.ErrnoException, socket: Duplex): void => {
    if (error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy();
      return;
    }
    const refusal = new Refusal(CODES[error.code ?? ''] ?? 'not-http');
    const requestId = newRequestId();
    const body = toJson(refusal, requestId);
    const lines = [
      `HTTP/1.1 ${refusal.status} ${STATUS_CODES[refusal.status] ?? ''}`,
      `Content-Type: ${MEDIA_TYPES.json}`,
      `Content-Length: ${Buffer.byteLength(body)}`,
      `${REQUEST_ID_HEADER}: ${requestId}`,
      'X-Content-Type-Options: nosniff',
      'Connection: close',
    ];
    socket.end(`${lines.join('\r\n')}\r\n\r\n${body}`);
  };
}

/** Returns the URL of a server that listens on `host`, for clients on this machine. */
export function listeningUrl(scheme: 'http' | 'https', host: string, port: number): string {
  // Not every system can connect to a wildcard address.
  const reachable = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
  return `${scheme}://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`;
}
