import { describe, expect, it } from '@jest/globals';
import { parseSeconds } from './numbers.js';

describe('parseSeconds', () => {
  it.each([
    ['0', 0],
    ['3600', 3_600],
    ['1h30m', 5_400],
    ['1W2D', 777_600],
    ['90s', 90],
    ['1m1m', 120],
  ])("BIND's units: %j is %j seconds", (text, seconds) => {
    expect(parseSeconds(text)).toBe(seconds);
  });

  it.each(['', 'h', '1x', '1hh', '1h30', '-1', '1.5h', '1 h', '1e3'])(
    "BIND's units: %j is not a duration",
    (text) => {
      expect(parseSeconds(text)).toBeUndefined();
    },
  );
});
