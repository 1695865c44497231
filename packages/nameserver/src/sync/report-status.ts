import { connect } from '@zonewright/database';
import { intervalAfter, type Logger, type Pace } from '@zonewright/service-kit';
import type { GuardedDatabase } from './guarded-database.js';
import { type NameserverStatus, saveNameserverStatus } from './status-store.js';

interface StatusReporterOptions {
  readonly database: GuardedDatabase;
  readonly currentStatus: () => NameserverStatus;
  /** Called once a status has been written. */
  readonly onTold: (status: NameserverStatus) => void;
  readonly log: Logger;
}

/**
 * While changes flow, the API learns of each within this time, of which a third may go into writing; each status costs all
 * who listen some work.
 */
const PACE: Pace = { share: 3, leastMs: 10, mostMs: 20 };
/**
 * Otherwise a sign of life: without several of these the server counts as gone. Each reading of the feed is told anyway, one a second
 * by default; this is longer, so that it comes only where there are none.
 */
const HEARTBEAT_MS = 1_250;

/**
 * Keeps the status row of this nameserver up to date, one write at a time. A status that could not be written while
 * PostgreSQL was away is written by the next heartbeat.
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

  /** The status has changed. */
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
