import { createHash, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { listen, type Logger, ServiceError, STATUS_OF_ERROR } from '@zonewright/service-kit';
import type { ZoneSigner } from '@zonewright/zones';
import { readSignRequest } from './read-sign-request.js';

interface SignServerOptions {
  readonly host: string;
  readonly port: number;
  readonly secret: string;
  readonly signer: ZoneSigner;
  /** @throws ServiceError `unavailable` where nothing may be signed now */
  readonly requireClock: () => Promise<void>;
  readonly log: Logger;
}

const MAX_BODY_BYTES = 16 * 1024 * 1024;
/** What comes on top gets 503: dns-api asks for each of its requests once. */
const MAX_REQUESTS = 64;
const REQUEST_TIMEOUT_MS = 10_000;

/** `POST /sign`, for dns-api alone: it shows a secret that both have. */
export class SignServer {
  readonly #options: SignServerOptions;
  readonly #server: Server;
  readonly #secret: Buffer;
  #running = 0;

  constructor(options: SignServerOptions) {
    this.#options = options;
    this.#secret = digest(options.secret);
    this.#server = createServer({ requestTimeout: REQUEST_TIMEOUT_MS }, (request, response) => {
      void this.#answer(request, response);
    });
  }

  /** Listens and returns the port. */
  async start(): Promise<number> {
    const { host, port } = this.#options;
    return await listen(this.#server, port, host);
  }

  /** Answers what has arrived. */
  async stop(): Promise<void> {
    if (!this.#server.listening) return;
    await new Promise<void>((resolve) => {
      this.#server.close(() => {
        resolve();
      });
      this.#server.closeIdleConnections();
    });
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.#running += 1;
    try {
      send(response, 200, await this.#sign(request));
    } catch (error) {
      const isKnown = error instanceof ServiceError;
      if (!isKnown) this.#options.log.error({ err: error }, 'a request failed');
      const status = isKnown ? STATUS_OF_ERROR[error.kind] : 500;
      // What was not read is not waited for.
      response.setHeader('connection', 'close');
      send(response, status, { error: isKnown ? error.message : 'Something went wrong.' });
    } finally {
      this.#running -= 1;
    }
  }

  async #sign(request: IncomingMessage): Promise<unknown> {
    if (!this.#mayAsk(request.headers.authorization)) {
      throw new ServiceError('unauthenticated', 'Show the secret of dns-api: "Bearer ...".');
    }
    if (request.method !== 'POST' || request.url !== '/sign') {
      throw new ServiceError('not-found', 'There is POST /sign, and nothing else.');
    }
    if (this.#running > MAX_REQUESTS) {
      throw new ServiceError('unavailable', 'Too many requests at once; try again.');
    }
    await this.#options.requireClock();
    const { zoneId, items } = readSignRequest(await readJson(request));
    const signatures = await this.#options.signer.sign(zoneId, items);
    return {
      signatures: signatures.map((each) =>
        each.map((rdata) => Buffer.from(rdata).toString('base64')),
      ),
    };
  }

  #mayAsk(authorization: string | undefined): boolean {
    const shown = /^Bearer (.+)$/.exec(authorization ?? '')?.[1] ?? '';
    return timingSafeEqual(digest(shown), this.#secret);
  }
}

async function readJson(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > MAX_BODY_BYTES) throw new ServiceError('invalid', 'The body is too large.');
    chunks.push(chunk);
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8'));
  } catch {
    throw new ServiceError('invalid', 'The body is no JSON.');
  }
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

function send(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}
