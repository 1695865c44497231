/** Serials of one action, the last first, which is the order of the undo. */
export type Deed = readonly number[];

interface Failure {
  readonly error: unknown;
}

/** Performs steps in order until one fails. A step returns its serial, or undefined if it changed nothing. */
export async function performEach(steps: readonly (() => Promise<number | undefined>)[]): Promise<{
  readonly deed: Deed;
  readonly done: number;
  readonly failure: Failure | undefined;
}> {
  const deed: number[] = [];
  let done = 0;
  try {
    for (const perform of steps) {
      const serial = await perform();
      done += 1;
      if (serial !== undefined) deed.unshift(serial);
    }
  } catch (error) {
    return { deed, done, failure: { error } };
  }
  return { deed, done, failure: undefined };
}

/**
 * Undoes an action until one of its changes cannot be undone.
 *
 * @param revert returns the serial of the undo
 * @returns in `undone` the serials of the undo, as an action that can itself be undone, and in `left` what a retry must undo
 */
export async function revertEach(
  deed: Deed,
  revert: (serial: number) => Promise<number>,
): Promise<{ readonly undone: Deed; readonly left: Deed; readonly failure: Failure | undefined }> {
  const { deed: undone, failure } = await performEach(deed.map((serial) => () => revert(serial)));
  return { undone, left: deed.slice(undone.length), failure };
}
