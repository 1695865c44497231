import { connect } from '@zonewright/database';
import { intervalAfter, type Logger, type Pace } from '@zonewright/service-kit';
import type { GuardedDatabase } from './guarded-database.js';
import { type NameserverStatus, saveNameserverStatus } from './status-store.js';

interface StatusReporterOptions {
  readonly database: GuardedDatabase;
  readonly currentStatus: () => NameserverStatus;
  /** Called when a status has been written. */
  readonly onTold: (status: NameserverStatus) => void;
  readonly log: Logger;
}

/**
 * Limits how often the status is written. While there are changes, the API learns of each within this time, and
 * writing takes at most a third of it, since each status costs all listeners some work.
 */
const PACE: Pace = { share: 3, leastMs: 10, mostMs: 20 };
/**
 * Interval of heartbeats. A server without several of them counts as unavailable. Each reading of the feed is also
 * reported, once a second by default, so a heartbeat is only needed without readings.
 */
const HEARTBEAT_MS = 1_250;

/**
 * Keeps the status row of this nameserver up to date, one write at a time. A status that could not be written while
 * PostgreSQL was unavailable is written with the next heartbeat.
 */
export class StatusReporter {
  readonly #options: StatusReporterOptions;
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> = Promise.resolve();
  #isWriting = false;
  #isDue = false;
  #isStopped = true;
  #wroteAt = Number.NEGATIVE_INFINITY;
  #intervalMs = PACE.leastMs;
  #isFailing = false;

  constructor(options: StatusReporterOptions) {
    this.#options = options;
  }

  start(): void {
    this.#isStopped = false;
    this.report();
  }

  /** Called when the status has changed. */
  report(): void {
    if (this.#isDue || this.#isStopped) return;
    this.#isDue = true;
    if (!this.#isWriting) this.#schedule();
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    await this.#options.database.close();
    await this.#writing;
  }

  #schedule(): void {
    if (this.#isStopped) return;
    const interval = this.#isDue ? this.#intervalMs : HEARTBEAT_MS;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(
      () => {
        this.#writing = this.#write();
      },
      Math.max(0, this.#wroteAt + interval - performance.now()),
    );
  }

  async #write(): Promise<void> {
    const { database, currentStatus, onTold, log } = this.#options;
    this.#isDue = false;
    this.#isWriting = true;
    this.#wroteAt = performance.now();
    try {
      const status = await database.run(async (db) => {
        // Connect first: the status depends on when this connection was made.
        await connect(db);
        const current = currentStatus();
        await saveNameserverStatus(db, current);
        return current;
      });
      onTold(status);
      this.#isFailing = false;
    } catch (error) {
      if (!this.#isFailing && !this.#isStopped) {
        log.warn({ err: error }, 'the status row cannot be written');
      }
      this.#isFailing = true;
    }
    this.#isWriting = false;
    this.#intervalMs = intervalAfter(performance.now() - this.#wroteAt, PACE);
    this.#schedule();
  }
}
