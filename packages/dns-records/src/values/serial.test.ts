import { describe, expect, it } from '@jest/globals';
import { compareSerials, nextSerial } from './numbers.js';

const NOW = 1_795_000_000;
const LAST = 4_294_967_295;

describe('nextSerial', () => {
  it.each([
    ['the time, when it is later', 1_700_000_000, NOW, NOW],
    ['one more within the same second', NOW, NOW, NOW + 1],
    ['one more when the clock went back', NOW + 10, NOW, NOW + 11],
    ['one more for a date-like serial', 2_026_112_100, NOW, 2_026_112_101],
    ['one more far ahead of the time', 4_000_000_000, NOW, 4_000_000_001],
    ['whole seconds', 1, NOW + 0.9, NOW],
  ])('D-ZONE-33: returns %s', (_what, current, now, next) => {
    expect(nextSerial(current, now)).toBe(next);
  });

  it.each([
    ['the time after the last one', LAST, NOW, NOW],
    ['0 after the last one, when the time would be older', LAST, 2 ** 31 + 5, 0],
    ['one more when the time is 2^31 or more ahead', 1, 2 ** 31 + 5, 2],
    ['the time once 32 bits have run out for it', LAST, 2 ** 32 + 7, 7],
  ])('RFC 1982 s3: returns %s', (_what, current, now, next) => {
    expect(nextSerial(current, now)).toBe(next);
    expect(compareSerials(next, current)).toBe(1);
  });
});

describe('compareSerials', () => {
  it.each([
    [1, 1, 0],
    [2, 1, 1],
    [1, 2, -1],
    [0, LAST, 1],
    [LAST, 0, -1],
    [2 ** 31 - 1, 0, 1],
    [2 ** 31 + 1, 0, -1],
  ])('RFC 1982 s3.2: %j against %j gives %j', (a, b, order) => {
    expect(compareSerials(a, b)).toBe(order);
  });

  it('RFC 1982 s3.2: of two serials that are 2^31 apart neither is newer', () => {
    expect([compareSerials(0, 2 ** 31), compareSerials(2 ** 31, 0)]).toEqual([-1, -1]);
  });
});
