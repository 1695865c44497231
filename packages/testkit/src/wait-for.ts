import type { Clock } from '@zonewright/service-kit';
import { FAULT_ROUNDS } from './environment.js';

/** Initial interval of checks. Later ones are longer, since the awaited work needs the processor. */
const INTERVAL_MS = 10;
const LONGEST_INTERVAL_MS = 100;
const GROWTH = 1.1;
/** Minimum number of checks: on a busy machine, a short deadline may be over before the second one. */
const LEAST_LOOKS = 10;
/** Default time limit, much longer than anything takes. */
const DEADLINE_MS = 30_000;
/** Factor for time limits, which are meant for an idle machine. The long form of the tests uses 1. */
export const PATIENCE = FAULT_ROUNDS > 10 ? 1 : 4;

/**
 * Waits until `condition` returns something other than undefined or false, and returns it.
 *
 * @throws Error at the deadline, with the last error of the condition if it threw
 */
export async function waitFor<T>(
  condition: () => T | undefined | false | Promise<T | undefined | false>,
  deadlineMs = DEADLINE_MS,
): Promise<T> {
  const end = Date.now() + deadlineMs * PATIENCE;
  let last: unknown;
  let interval = INTERVAL_MS;
  for (let looks = 1; ; looks += 1) {
    try {
      const value = await condition();
      if (value !== undefined && value !== false) return value;
    } catch (error) {
      last = error;
    }
    if (Date.now() > end && looks >= LEAST_LOOKS) {
      throw new Error(`The condition did not hold within ${deadlineMs * PATIENCE} ms.`, {
        cause: last,
      });
    }
    await new Promise((resolve) => setTimeout(resolve, interval));
    interval = Math.min(interval * GROWTH, LONGEST_INTERVAL_MS);
  }
}

/** Number of attempts: a busy machine sometimes delays the tested code, but a real fault delays it each time. */
const TRIES = 5;

/**
 * Performs an action that must take less than `ms`, and repeats it if it took longer. Returns its result.
 *
 * @throws Error with all durations if none was short enough
 */
export async function inTime<T>(ms: number, act: () => Promise<T>): Promise<T> {
  const times: number[] = [];
  while (times.length < TRIES) {
    const startedAt = performance.now();
    const result = await act();
    const time = performance.now() - startedAt;
    if (time < ms) return result;
    times.push(Math.round(time));
  }
  throw new Error(`It took ${times.join(', ')} ms, and never less than ${ms} ms.`);
}

/** Clock that only a test changes. */
export class FakeClock implements Clock {
  #milliseconds: number;

  constructor(start: Date | number = Date.now()) {
    this.#milliseconds = Number(start);
  }

  now(): number {
    return this.#milliseconds;
  }

  /** Moves the clock forwards, or backwards. */
  advance(milliseconds: number): void {
    this.#milliseconds += milliseconds;
  }
}
