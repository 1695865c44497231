import { createHash, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { listen, type Logger, ServiceError, STATUS_OF_ERROR } from '@zonewright/service-kit';
import { readRequests, type SignRequest } from './read-sign-request.js';
import type { ZoneKeySigner } from './zone-key-signer.js';

interface SignServerOptions {
  readonly host: string;
  readonly port: number;
  readonly secret: string;
  readonly signer: Pick<ZoneKeySigner, 'signKnown'>;
  /** @throws ServiceError `unavailable` if the clock may be wrong */
  readonly requireClock: () => Promise<void>;
  readonly log: Logger;
}

const MAX_BODY_BYTES = 16 * 1024 * 1024;
/** Maximum number of concurrent requests. Further ones get 503. Each request of dns-api causes one request here. */
const MAX_REQUESTS = 64;
const REQUEST_TIMEOUT_MS = 10_000;

/** Server for `POST /sign`. Its only client is dns-api, which authenticates with a shared secret. */
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

  /** Answers requests that have already arrived. */
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
      const { status, error: message } = this.#explain(error);
      // Close the connection, since the unread body would follow.
      response.setHeader('connection', 'close');
      send(response, status, { error: message });
    } finally {
      this.#running -= 1;
    }
  }

  async #sign(request: IncomingMessage): Promise<unknown> {
    if (!this.#mayAsk(request.headers.authorization)) {
      throw new ServiceError(
        'unauthenticated',
        'Authenticate with the secret of dns-api: "Bearer ...".',
      );
    }
    if (request.method !== 'POST' || request.url !== '/sign') {
      throw new ServiceError('not-found', 'The only operation is POST /sign.');
    }
    if (this.#running > MAX_REQUESTS) {
      throw new ServiceError('unavailable', 'Too many concurrent requests; try again.');
    }
    await this.#options.requireClock();
    const asked = readRequests(await readJson(request));
    if (!Array.isArray(asked)) return await this.#signOne(asked);
    // An error in one request does not affect the others.
    const answers = asked.map(async (read) => {
      try {
        return await this.#signOne(read());
      } catch (error) {
        return this.#explain(error);
      }
    });
    return { answers: await Promise.all(answers) };
  }

  async #signOne({ zoneId: id, keyVersion, items }: SignRequest): Promise<object> {
    const signatures = await this.#options.signer.signKnown({ id, keyVersion }, items);
    return { signatures: signatures.map((each) => each.map(toBase64)) };
  }

  #explain(error: unknown): { status: number; error: string } {
    if (error instanceof ServiceError) {
      return { status: STATUS_OF_ERROR[error.kind], error: error.message };
    }
    this.#options.log.error({ err: error }, 'a request failed');
    return { status: 500, error: 'Internal error.' };
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
    throw new ServiceError('invalid', 'The body is not JSON.');
  }
}

function toBase64(octets: Uint8Array): string {
  return Buffer.from(octets).toString('base64');
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

function send(response: ServerResponse, status: number, body: unknown): void {
  const text = JSON.stringify(body);
  const length = Buffer.byteLength(text);
  response.writeHead(status, { 'content-type': 'application/json', 'content-length': length });
  response.end(text);
}
