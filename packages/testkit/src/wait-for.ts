const INTERVAL_MS = 10;
/** By far more than anything takes, so that a busy machine makes no test fail. */
const DEADLINE_MS = 15_000;

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
  for (;;) {
    try {
      const value = await condition();
      if (value !== undefined && value !== false) return value;
    } catch (error) {
      last = error;
    }
    if (Date.now() > end) {
      throw new Error(`The condition did not hold within ${deadlineMs} ms.`, { cause: last });
    }
    await new Promise((resolve) => setTimeout(resolve, INTERVAL_MS));
  }
}
