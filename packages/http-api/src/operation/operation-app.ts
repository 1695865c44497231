import type { IncomingMessage, ServerResponse } from 'node:http';
import express, { type Express } from 'express';

type Answer = () => void;

/** The Express application of an API; what goes beside its operations, such as pages, is mounted here. */
export class OperationApp {
  readonly #app: Express = express();
  /** How requests that are on their way through Express go on. */
  readonly #answers = new WeakMap<IncomingMessage, Answer>();

  constructor() {
    this.#app.disable('x-powered-by');
    // Objects have an ETag of their own (decisions 3); one of the octets would contradict it.
    this.#app.disable('etag');
    // Each API reads its queries itself, and refuses what it does not know.
    this.#app.disable('query parser');
    this.#app.use((request) => {
      this.#answers.get(request)?.();
    });
  }

  /** Lets a request through Express, to `answer`. */
  pass(request: IncomingMessage, response: ServerResponse, answer: Answer): void {
    this.#answers.set(request, answer);
    this.#app(request, response);
  }
}
