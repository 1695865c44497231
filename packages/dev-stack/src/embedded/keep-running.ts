import { setTimeout as delay } from 'node:timers/promises';

/** Delay before a restart: long enough to notice a problem, short enough to continue working. */
const RESTART_DELAY_MS = 3_000;

/** Running program that may exit. */
export interface Restartable {
  stop(): Promise<void>;
}

interface KeepRunningOptions<T extends Restartable> {
  /** Name for messages: "PostgreSQL". */
  readonly name: string;
  /**
   * Starts the program, always on the same port, so that its clients find it. The callback reports an unexpected exit.
   */
  readonly start: (onUnexpectedExit: () => void) => Promise<T>;
  readonly onNote: (note: string) => void;
}

/** Keeps one part of the platform running: restarts it when it exits, until it is stopped. */
export class SupervisedProcess<T extends Restartable> {
  readonly #options: KeepRunningOptions<T>;
  readonly #stop = new AbortController();
  #current: T | undefined;
  #restarting: Promise<void> = Promise.resolve();

  private constructor(options: KeepRunningOptions<T>) {
    this.#options = options;
  }

  /** Starts the part for the first time. Only this failure is thrown; later ones are retried. */
  static async start<T extends Restartable>(
    options: KeepRunningOptions<T>,
  ): Promise<SupervisedProcess<T>> {
    const kept = new SupervisedProcess(options);
    kept.#current = await kept.#start();
    return kept;
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#restarting;
    await this.#current?.stop();
  }

  /** Starts the part once. If it ends during its start, the caller gets an error. Only a later end causes a restart. */
  async #start(): Promise<T> {
    const attempt = { runs: false, hasEnded: false };
    const started = await this.#options.start(() => {
      attempt.hasEnded = true;
      if (attempt.runs) this.#restart();
    });
    if (attempt.hasEnded) throw new Error('it exited at once');
    attempt.runs = true;
    return started;
  }

  #restart(): void {
    const { name, onNote } = this.#options;
    onNote(`${name} exited unexpectedly; starting it again in ${RESTART_DELAY_MS / 1000} s.`);
    this.#restarting = this.#startAgain(this.#stop.signal);
  }

  /** Retries until it succeeds. */
  async #startAgain(signal: AbortSignal): Promise<void> {
    const { name, onNote } = this.#options;
    while (await pause(signal)) {
      try {
        this.#current = await this.#start();
        onNote(`${name} is running again.`);
        return;
      } catch (error) {
        onNote(`${name} did not start: ${error instanceof Error ? error.message : String(error)}`);
      }
    }
  }
}

/** Whether the pause ended without `signal`. */
async function pause(signal: AbortSignal): Promise<boolean> {
  if (signal.aborted) return false;
  return await delay(RESTART_DELAY_MS, true, { signal }).catch(() => false);
}
