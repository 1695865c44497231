import { describe, expect, it } from '@jest/globals';
import { inTime } from './wait-for.js';

/** Occupies the processor for some time. */
function spin(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

describe('inTime', () => {
  it('returns a result that came in time, and repeats the work if it was late', async () => {
    const delays = [30, 30, 0];
    const given = await inTime(20, () => {
      spin(delays.shift() ?? 0);
      return Promise.resolve(delays.length);
    });

    expect(given).toBe(0);
  });

  it('fails with all times if it is late each time', async () => {
    const late = inTime(1, () => {
      spin(2);
      return Promise.resolve();
    });

    await expect(late).rejects.toThrow(
      /^It took \d+, \d+, \d+, \d+, \d+ ms, and never less than 1 ms\.$/,
    );
  });
});
