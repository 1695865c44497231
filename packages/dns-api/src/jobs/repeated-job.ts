import { isDatabaseUnavailable } from '@zonewright/database';
import type { Logger } from '@zonewright/service-kit';

interface JobParts {
  readonly log: Logger;
  /** Pause after a run, in milliseconds. */
  readonly restMs: number;
  /** Log message if a run fails. The job runs again after the pause. */
  readonly onFailure: string;
}

/** Job of the service that runs again and again, with pauses, until it is stopped. */
export abstract class RepeatedJob {
  readonly #parts: JobParts;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;
  #isDue = false;
  #isStopped = false;
  /** Pause after the current run, in milliseconds. */
  protected restMs: number;

  constructor(parts: JobParts) {
    this.#parts = parts;
    this.restMs = parts.restMs;
  }

  abstract run(): Promise<void>;

  protected get isStopped(): boolean {
    return this.#isStopped;
  }

  start(restMs = this.restMs): void {
    if (this.#isStopped) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.wake();
    }, restMs);
    this.#timer.unref();
  }

  /** Ends the pause. A job that is running runs once more, since it may have missed the reason. */
  wake(): void {
    this.#isDue = true;
    if (this.#isStopped) return;
    clearTimeout(this.#timer);
    this.#running ??= this.#runSafely().then(() => {
      this.#running = undefined;
      this.start(this.#isDue ? 0 : this.restMs);
    });
  }

  /** Waits for the end of a run that is in progress. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    await this.#running;
  }

  async #runSafely(): Promise<void> {
    const { restMs, onFailure, log } = this.#parts;
    this.#isDue = false;
    this.restMs = restMs;
    try {
      await this.run();
    } catch (error) {
      // Requests and the readiness check report that the database is not available.
      const level = isDatabaseUnavailable(error) ? 'debug' : 'warn';
      if (!this.#isStopped) log[level]({ err: error }, onFailure);
    }
  }
}
