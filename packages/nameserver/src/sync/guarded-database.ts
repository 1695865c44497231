import type { Database } from '@zonewright/database';

/** Guard of long work. It is called with each progress, and ends the work when it has been abandoned. */
export interface WorkGuard {
  /** Called when data has arrived from the database. Throws if the work has been abandoned. */
  onProgress(): void;
}

interface GuardedDatabaseOptions {
  /** Opens the database. `onConnect` must be called for each connection. */
  readonly open: (onConnect: () => void) => Database;
  /** Time without data after which connections are abandoned. */
  readonly stallTimeoutMs: number;
}

/** Time limit of a close, which would wait for the server's current work. */
const CLOSE_TIMEOUT_MS = 300;

/**
 * Database whose connections are replaced when no data arrives: a silent network neither closes a connection nor ends a
 * query. It runs one piece of work at a time.
 */
export class GuardedDatabase {
  readonly #options: GuardedDatabaseOptions;
  #db: Database;
  #giveUp: ((reason: Error) => void) | undefined;
  #connectedAt = Number.NEGATIVE_INFINITY;

  constructor(options: GuardedDatabaseOptions) {
    this.#options = options;
    this.#db = this.#open();
  }

  /** Time of the last connection by performance.now(). The server may have crashed before it. */
  get connectedAt(): number {
    return this.#connectedAt;
  }

  #open(): Database {
    return this.#options.open(() => {
      this.#connectedAt = performance.now();
    });
  }

  /**
   * Rejects with the error of `work`, or if it stalled or was abandoned. In the latter case, `work` may continue for
   * some time.
   */
  async run<T>(work: (db: Database, guard: WorkGuard) => Promise<T>): Promise<T> {
    const { stallTimeoutMs } = this.#options;
    let isGivenUp = false;
    const givenUp = new Promise<never>((_, reject) => {
      this.#giveUp = (reason) => {
        isGivenUp = true;
        reject(reason);
      };
    });
    const stall = setTimeout(() => {
      this.#replace();
      this.#giveUp?.(new Error(`PostgreSQL did not respond for ${stallTimeoutMs} ms`));
    }, stallTimeoutMs);
    const working = work(this.#db, {
      onProgress: () => {
        if (isGivenUp) throw new Error('the work was aborted');
        stall.refresh();
      },
    });
    working.catch(() => undefined);
    try {
      return await Promise.race([working, givenUp]);
    } finally {
      clearTimeout(stall);
      this.#giveUp = undefined;
    }
  }

  /** Ends current work and closes the connections. */
  async close(): Promise<void> {
    this.#giveUp?.(new Error('the nameserver is stopping'));
    await withinTime(this.#db.destroy(), CLOSE_TIMEOUT_MS);
  }

  #replace(): void {
    void withinTime(this.#db.destroy(), CLOSE_TIMEOUT_MS);
    this.#db = this.#open();
  }
}

/** Waits for work whose result is not needed, but no longer than `timeoutMs`. */
export async function withinTime(work: Promise<unknown>, timeoutMs: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, timeoutMs);
  });
  await Promise.race([work.catch(() => undefined), timeout]);
  clearTimeout(timer);
}
