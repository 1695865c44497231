import { describe, expect, it } from '@jest/globals';
import { readPreferredWaitMs } from './read-query.js';

describe('RFC 7240: Prefer', () => {
  it.each([
    [undefined, undefined],
    ['', undefined],
    ['wait=5', 5_000],
    ['Wait = 5', 5_000],
    ['wait="5"', 5_000],
    ['wait=5; of="all"', 5_000],
    ['respond-async, wait=3', 3_000],
    ['return=minimal;wait=9, wait=3', 3_000],
    ['foo="a, wait=9", wait=2', 2_000],
    ['foo="not ended, wait=9', undefined],
    // If a preference is given more than once, only the first one counts (RFC 7240, section 2).
    ['wait=2, wait=9', 2_000],
    ['wait=soon, wait=9', undefined],
    ['waiting=9', undefined],
    ['wait', undefined],
    ['wait=', undefined],
    ['wait=-1', undefined],
    ['wait=1.5', undefined],
    ['wait=0', undefined],
    ['wait=10', 10_000],
    // The limit is 10 s.
    ['wait=11', 10_000],
    ['wait=9999999999999999', 10_000],
    [',,;;==, wait=1,,', 1_000],
  ])('%j requests a wait of %j ms', (header, expected) => {
    expect(readPreferredWaitMs(header)).toBe(expected);
  });

  it('parses long hostile texts quickly', () => {
    const started = performance.now();
    readPreferredWaitMs('"'.repeat(16_000));
    readPreferredWaitMs(`${'"\\'.repeat(8_000)},wait=5`);
    readPreferredWaitMs(`wait=${'"'.repeat(8_001)}`);
    readPreferredWaitMs(`${'a=b;'.repeat(4_000)},wait=5`);
    expect(performance.now() - started).toBeLessThan(1_000);
  });
});
