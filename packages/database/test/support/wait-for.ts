const INTERVAL_MS = 10;

/** Waits until `condition` gives something other than undefined or false, and returns it; throws at the deadline. */
export async function waitFor<T>(
  condition: () => T | undefined | false | Promise<T | undefined | false>,
  deadlineMs = 10_000,
): Promise<T> {
  const end = Date.now() + deadlineMs;
  for (;;) {
    const value = await condition();
    if (value !== undefined && value !== false) return value;
    if (Date.now() > end) throw new Error(`The condition did not hold within ${deadlineMs} ms.`);
    await new Promise((resolve) => setTimeout(resolve, INTERVAL_MS));
  }
}
