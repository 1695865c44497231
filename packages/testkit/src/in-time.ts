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
