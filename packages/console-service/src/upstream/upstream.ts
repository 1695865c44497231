import type { EventEmitter } from 'node:events';
import http from 'node:http';
import https from 'node:https';
import { FairSlots, Overload, ServiceError } from '@zonewright/service-kit';

/** Forwarded request. */
interface PassedRequest {
  readonly method: string;
  /** Target with the query. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer | undefined;
  /** Aborted when the client has disconnected. */
  readonly signal: AbortSignal;
}

/** Time limit without data. It is longer than any response takes to begin, and than any pause in a stream. */
const STILL_MS = 60_000;
const MAX_CONNECTIONS = 4_096;

/** Client of one of the two services behind the console. */
export class Upstream {
  readonly #base: URL;
  readonly #agent: http.Agent | https.Agent;
  readonly #request: typeof http.request;
  readonly #name: string;

  constructor(baseUrl: string, name: string) {
    this.#name = name;
    this.#base = new URL(baseUrl);
    const isSecure = this.#base.protocol === 'https:';
    const options = { keepAlive: true, maxSockets: MAX_CONNECTIONS, maxFreeSockets: 32 };
    this.#agent = isSecure ? new https.Agent(options) : new http.Agent(options);
    this.#request = isSecure ? https.request : http.request;
  }

  close(): void {
    this.#agent.destroy();
  }

  /**
   * Sends a request. Resolves with the head of the response; the caller reads the body from it. @throws ServiceError
   * unavailable
   */
  async send(passed: PassedRequest): Promise<http.IncomingMessage> {
    try {
      return await this.#attempt(passed);
    } catch (error) {
      // The server may close a keep-alive connection at the moment of its use. In this case it has not read any part of
      // this request.
      if (!(error instanceof StaleConnectionError)) throw this.#toUnavailable(error);
    }
    return await this.#attempt(passed).catch((error: unknown) => {
      throw this.#toUnavailable(error);
    });
  }

  async #attempt({
    method,
    target,
    headers,
    body,
    signal,
  }: PassedRequest): Promise<http.IncomingMessage> {
    return await new Promise((resolve, reject) => {
      const request = this.#request({
        protocol: this.#base.protocol,
        hostname: this.#base.hostname.replace(/^\[|\]$/g, ''),
        port: this.#base.port,
        path: `${this.#base.pathname.replace(/\/$/, '')}${target}`,
        agent: this.#agent,
        method,
        signal,
        timeout: STILL_MS,
        headers: {
          ...headers,
          ...(body === undefined ? {} : { 'content-length': String(body.length) }),
        },
      });
      request.on('timeout', () => request.destroy(new Error('no data was received for a minute')));
      request.on('error', (error: NodeJS.ErrnoException) => {
        // Only reads are retried here. For other requests, the browser decides whether a retry is safe.
        const isStale = request.reusedSocket && error.code === 'ECONNRESET' && method === 'GET';
        reject(isStale ? new StaleConnectionError() : error);
      });
      request.on('response', resolve);
      request.end(body);
    });
  }

  #toUnavailable(cause: unknown): ServiceError {
    return new ServiceError('unavailable', `The ${this.#name} does not respond; try again.`, {
      cause,
    });
  }
}

class StaleConnectionError extends Error {}

/** Maximum number of streams of one user, more than the tabs that a user has open. */
const MAX_OF_USER = 64;

/** User and project of a stream. */
interface StreamOwner {
  readonly userId: string;
  readonly projectId: string;
}

/** Event streams, which may last for hours. Users and projects share them. */
export class Streams {
  readonly #ofUsers: FairSlots;
  readonly #ofProjects: FairSlots;

  constructor(total: number) {
    this.#ofUsers = new FairSlots({ total, perOwner: MAX_OF_USER });
    this.#ofProjects = new FairSlots({ total });
  }

  get open(): number {
    return this.#ofUsers.taken;
  }

  /** Takes a slot until the response closes. @throws Overload if the user or the project has used up its share */
  take(response: Pick<EventEmitter, 'once'>, { userId, projectId }: StreamOwner): void {
    if (!this.#ofUsers.tryEnter(userId)) throw new Overload();
    if (!this.#ofProjects.tryEnter(projectId)) {
      this.#ofUsers.leave(userId);
      throw new Overload();
    }
    response.once('close', () => {
      this.#ofUsers.leave(userId);
      this.#ofProjects.leave(projectId);
    });
  }
}
