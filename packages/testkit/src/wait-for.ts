import type { Clock } from '@zonewright/service-kit';
import { FAULT_ROUNDS } from './environment.js';

/** Between two looks at first; later ones take their time, since what is waited for needs the processor. */
const INTERVAL_MS = 10;
const LONGEST_INTERVAL_MS = 100;
const GROWTH = 1.1;
/** However short the deadline: on a busy machine it may be over before this process had its second turn. */
const LEAST_LOOKS = 10;
/** Much longer than anything takes. */
const DEADLINE_MS = 30_000;
/**
 * Deadlines are those of a machine that does nothing else. Beside other programs a test waits so many times longer. The long form,
 * which shows that promises are kept, does not.
 */
const PATIENCE = FAULT_ROUNDS > 10 ? 1 : 4;

/**
 * Waits until `condition` gives something other than undefined or false, and returns it.
 *
 * @throws Error at the deadline, with the last error of the condition if it threw.
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

/** A busy machine sometimes delays the code under test. An error that breaks a promise does so each time. */
const TRIES = 5;

/**
 * Does what is promised to take less than `ms`, again if it took longer, and returns what it gave.
 *
 * @throws Error with all times when it never did.
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

/** A clock that only a test moves. */
export class FakeClock implements Clock {
  #milliseconds: number;

  constructor(start: Date | number = Date.now()) {
    this.#milliseconds = Number(start);
  }

  now(): number {
    return this.#milliseconds;
  }

  /** Moves the clock, backwards too. */
  advance(milliseconds: number): void {
    this.#milliseconds += milliseconds;
  }
}
