import http from 'node:http';
import https from 'node:https';
import { ServiceError } from '../values/errors.js';
import type { Tracing } from '../tracing/tracing.js';

const TIMEOUT_MS = 900;
/**
 * Maximum number of connections, so that a busy replica leaves enough for others. Further calls wait for a free one.
 */
const MAX_CONNECTIONS = 64;
/** Maximum size of a response. A v3 token body with a large catalog has a few kilobytes. */
const MAX_ANSWER_BYTES = 4 * 1024 * 1024;

/** Errors of writing to a connection that the server has closed. A long body is interrupted by them. */
const STALE_CODES: ReadonlySet<string | undefined> = new Set(['ECONNRESET', 'EPIPE']);

/** Undefined if the response has no valid JSON body. */
export interface JsonAnswer {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: unknown;
}

export interface JsonCall {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** Constant path without ids, since traces contain it. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /**
   * The time limit in milliseconds; the default is 900. Two attempts then fit into the 2 s within which a request is
   * answered.
   */
  readonly timeoutMs?: number | undefined;
}

interface HttpJsonClientOptions {
  readonly baseUrl: string;
  /** Name of the server in errors. */
  readonly serverName: string;
  readonly tracing?: Tracing | undefined;
}

/**
 * JSON client of one server over keep-alive connections. It uses `node:http`: fetch needs about three times as much CPU
 * time per call, and nearly each request makes a call.
 */
export class HttpJsonClient {
  readonly #base: URL;
  readonly #agent: http.Agent | https.Agent;
  readonly #request: typeof http.request;
  readonly #tracing: Tracing | undefined;

  readonly #serverName: string;

  constructor({ baseUrl, serverName, tracing }: HttpJsonClientOptions) {
    this.#serverName = serverName;
    this.#tracing = tracing;
    this.#base = new URL(baseUrl.endsWith('/') ? baseUrl : `${baseUrl}/`);
    const secure = this.#base.protocol === 'https:';
    const options = { keepAlive: true, maxSockets: MAX_CONNECTIONS };
    this.#agent = secure ? new https.Agent(options) : new http.Agent(options);
    this.#request = secure ? https.request : http.request;
  }

  /** @throws ServiceError `unavailable` if the server cannot be reached or does not answer in time */
  async call(call: JsonCall): Promise<JsonAnswer> {
    try {
      return await this.#send(call);
    } catch (error) {
      // The server may close a keep-alive connection at the moment of its use, so the call is repeated on another one.
      if (!(error instanceof StaleConnectionError)) throw this.#toUnavailable(error);
    }
    return await this.#send(call).catch((error: unknown) => {
      throw this.#toUnavailable(error);
    });
  }

  close(): void {
    this.#agent.destroy();
  }

  async #send(call: JsonCall): Promise<JsonAnswer> {
    const { method, headers } = call;
    const url = new URL(call.path, this.#base);
    if (this.#tracing === undefined) return await this.#exchange(url, call);
    return await this.#tracing.traceCall({ method, url }, (trace) =>
      this.#exchange(url, { ...call, headers: { ...headers, ...trace } }),
    );
  }

  async #exchange(
    url: URL,
    { method, headers, body, timeoutMs = TIMEOUT_MS }: JsonCall,
  ): Promise<JsonAnswer> {
    const payload = body === undefined ? undefined : JSON.stringify(body);
    return await new Promise((resolve, reject) => {
      const request = this.#request(url, {
        agent: this.#agent,
        method,
        signal: AbortSignal.timeout(timeoutMs),
        headers: {
          ...headers,
          accept: 'application/json',
          ...(payload === undefined
            ? {}
            : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(payload) }),
        },
      });
      request.on('error', (error: NodeJS.ErrnoException) => {
        const stale = request.reusedSocket && STALE_CODES.has(error.code);
        reject(stale ? new StaleConnectionError() : error);
      });
      request.on('response', (response) => {
        readJson(response).then((answer) => {
          const { statusCode = 0, headers: answerHeaders } = response;
          resolve({ status: statusCode, headers: answerHeaders, body: answer });
        }, reject);
      });
      request.end(payload);
    });
  }

  #toUnavailable(cause: unknown): ServiceError {
    const message = `The ${this.#serverName} cannot be reached; try again.`;
    return new ServiceError('unavailable', message, { cause });
  }
}

class StaleConnectionError extends Error {}

async function readJson(response: http.IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > MAX_ANSWER_BYTES) throw new Error('The response is larger than expected.');
    chunks.push(chunk);
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8')) as unknown;
  } catch {
    // The status is sufficient if the body is empty or the error page of a proxy.
    return undefined;
  }
}
