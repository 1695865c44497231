import { expect } from '@jest/globals';
import { waitFor } from '@zonewright/testkit';

/** By far more than anything takes, so that a busy machine makes no test fail. */
const DEADLINE_MS = 15_000;

/** Passes when the condition comes true in time: for what a test is about, where waitFor is for what it needs. */
export async function expectEventually(
  condition: () => boolean | Promise<boolean>,
  deadlineMs = DEADLINE_MS,
): Promise<void> {
  await expect(waitFor(condition, deadlineMs)).resolves.toBe(true);
}
