import { describe, expect, it } from '@jest/globals';
import { horizonAt, isWithin, parseHorizon } from './position.js';
import { FEED_START } from './position.js';

describe('feed horizons', () => {
  it.each([
    ['10:10:', '9', true],
    ['10:10:', '10', false],
    ['10:20:', '19', true],
    ['10:20:', '20', false],
    ['10:20:12,15', '12', false],
    ['10:20:12,15', '13', true],
    ['10:20:12,15', '15', false],
    ['9007199254740992:9007199254740994:', '9007199254740993', true],
  ])('%s shows transaction %s: %s', (horizon, transaction, expected) => {
    expect(isWithin(parseHorizon(horizon), BigInt(transaction))).toBe(expected);
  });

  it('a position alone shows the transactions before it', () => {
    expect(horizonAt('17')).toBe('17:17:');
    expect(horizonAt(FEED_START)).toBeUndefined();
  });
});
