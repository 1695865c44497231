import type { Database } from '@zonewright/database';

/** Told of progress by long work, and stops it when it has been given up. */
export interface WorkGuard {
  /** Something came from the database; throws when the work has been given up. */
  onProgress(): void;
}

interface GuardedDatabaseOptions {
  /** `onConnect` is to be called for each connection that is made. */
  readonly open: (onConnect: () => void) => Database;
  /** How long the database may be silent before its connections are left behind. */
  readonly stallTimeoutMs: number;
}

/** Closing waits for what the server is doing; a process that ends does not wait for that. */
const CLOSE_TIMEOUT_MS = 300;

/**
 * A database whose connections are replaced when nothing comes over them any more: a network that fell silent breaks
 * no connection and ends no query by itself. Does one thing at a time.
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

  /** When the last connection was made, by performance.now(): before it the server may have crashed. */
  get connectedAt(): number {
    return this.#connectedAt;
  }

  #open(): Database {
    return this.#options.open(() => {
      this.#connectedAt = performance.now();
    });
  }

  /** Rejects with the error of `work`, or when it stalled or was given up; then `work` may go on for a while unseen. */
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
      this.#giveUp?.(new Error(`PostgreSQL was silent for ${stallTimeoutMs} ms`));
    }, stallTimeoutMs);
    const working = work(this.#db, {
      onProgress: () => {
        if (isGivenUp) throw new Error('the work was given up');
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

  /** Ends what is under way and closes the connections. */
  async close(): Promise<void> {
    this.#giveUp?.(new Error('the nameserver stops'));
    await withinTime(this.#db.destroy(), CLOSE_TIMEOUT_MS);
  }

  #replace(): void {
    void withinTime(this.#db.destroy(), CLOSE_TIMEOUT_MS);
    this.#db = this.#open();
  }
}

/** Waits for work whose result nobody needs, but not longer than `timeoutMs`. */
export async function withinTime(work: Promise<unknown>, timeoutMs: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, timeoutMs);
  });
  await Promise.race([work.catch(() => undefined), timeout]);
  clearTimeout(timer);
}
