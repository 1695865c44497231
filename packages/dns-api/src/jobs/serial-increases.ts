import { isDatabaseUnavailable } from '@zonewright/database';
import { increaseAheadSerials } from '@zonewright/zones';
import { NO_SIGNER } from '../access/signer-client.js';
import type { Context } from '../context/context.js';

/** The interval of checks without notifications; nameservers send one with each report. */
const EVERY_MS = 1_000;

/**
 * Increases serials of zones for which nameservers answer with changes that the database lost (ADR 0020). The reports
 * are in the database, so replicas share the work.
 */
export class SerialIncreases {
  readonly #context: Context;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;
  #isDue = false;
  #isStopped = false;

  constructor(context: Context) {
    this.#context = context;
  }

  start(): void {
    this.#context.publication.onZonesAhead = () => {
      this.#run();
    };
    this.#schedule();
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    await this.#running;
  }

  #schedule(): void {
    if (this.#isStopped) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#run();
    }, EVERY_MS);
    this.#timer.unref();
  }

  #run(): void {
    this.#isDue = true;
    if (this.#isStopped) return;
    this.#running ??= this.#increaseAll().finally(() => {
      this.#running = undefined;
      this.#schedule();
    });
  }

  async #increaseAll(): Promise<void> {
    const { db, clock, log, signer = NO_SIGNER } = this.#context;
    try {
      while (this.#isDue && !this.#isStopped) {
        this.#isDue = false;
        const zones = await increaseAheadSerials(db, { signer, clock });
        if (zones > 0) {
          log.warn({ zones }, 'the database lost changes of zones; their serials were increased');
        }
      }
    } catch (error) {
      const level = isDatabaseUnavailable(error) ? 'debug' : 'warn';
      log[level]({ err: error }, 'serials cannot be increased at the moment; trying again');
    }
  }
}
