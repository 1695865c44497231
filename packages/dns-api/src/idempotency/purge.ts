import { isDatabaseUnavailable } from '@zonewright/database';
import type { Context } from '../context.js';
import { removeOldAnswers } from './idempotency-store.js';

/** A client that repeats a request does so within a day. */
const KEPT_HOURS = 24;
const INTERVAL_MS = 15 * 60 * 1_000;

/** Forgets old answers now and then; every replica does, which harms nothing. */
export class IdempotencyPurge {
  readonly #context: Context;
  #timer: NodeJS.Timeout | undefined;

  constructor(context: Context) {
    this.#context = context;
  }

  start(): void {
    this.#timer = setInterval(() => {
      this.#run();
    }, INTERVAL_MS);
    this.#timer.unref();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #run(): void {
    removeOldAnswers(this.#context.db, KEPT_HOURS).catch((error: unknown) => {
      // The next run does it, unless it is our own mistake.
      const level = isDatabaseUnavailable(error) ? 'warn' : 'error';
      this.#context.log[level]({ err: error }, 'cannot remove old idempotency keys');
    });
  }
}
