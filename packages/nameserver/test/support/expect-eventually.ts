import { expect } from '@jest/globals';
import { waitFor } from '@zonewright/testkit';

/** Passes when the condition comes true in time: for what a test is about, where waitFor is for what it needs. */
export async function expectEventually(
  condition: () => boolean | Promise<boolean>,
  deadlineMs?: number,
): Promise<void> {
  await expect(waitFor(condition, deadlineMs)).resolves.toBe(true);
}
