import { expect } from '@jest/globals';
import { waitFor } from '@zonewright/testkit';

/**
 * Passes when the condition becomes true in time. It is for the subject of a test; waitFor is for its preconditions.
 */
export async function expectEventually(
  condition: () => boolean | Promise<boolean>,
  deadlineMs?: number,
): Promise<void> {
  await expect(waitFor(condition, deadlineMs)).resolves.toBe(true);
}
