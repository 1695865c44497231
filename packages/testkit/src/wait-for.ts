/** Between two looks at first; later ones take their time, since what is waited for needs the processor. */
const INTERVAL_MS = 10;
const LONGEST_INTERVAL_MS = 100;
const GROWTH = 1.1;
/** However short the deadline: on a busy machine it may be over before this process had its second turn. */
const LEAST_LOOKS = 10;
/** Much longer than anything takes, so that no test fails on a busy machine. */
const DEADLINE_MS = 30_000;

/**
 * Waits until `condition` gives something other than undefined or false, and returns it.
 *
 * @throws Error at the deadline, with the last error of the condition if it threw.
 */
export async function waitFor<T>(
  condition: () => T | undefined | false | Promise<T | undefined | false>,
  deadlineMs = DEADLINE_MS,
): Promise<T> {
  const end = Date.now() + deadlineMs;
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
      throw new Error(`The condition did not hold within ${deadlineMs} ms.`, { cause: last });
    }
    await new Promise((resolve) => setTimeout(resolve, interval));
    interval = Math.min(interval * GROWTH, LONGEST_INTERVAL_MS);
  }
}
