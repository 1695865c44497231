import { describe, expect, it } from '@jest/globals';
import { FEED_START, isAtOrBefore } from './position.js';

describe('feed positions', () => {
  it.each([
    ['9', '10', true],
    ['10', '9', false],
    ['10', '10', true],
    [FEED_START, '3', true],
    // An xid8 has 64 bits, more than a double can represent.
    ['9007199254740993', '9007199254740992', false],
    ['18446744073709551614', '18446744073709551615', true],
  ])('are compared as numbers: %s is at or before %s: %s', (position, other, expected) => {
    expect(isAtOrBefore(position, other)).toBe(expected);
  });
});
