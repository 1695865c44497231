import { describe, expect, it } from '@jest/globals';
import { change, off, record } from './test-values.js';
import { removesMany, removesManyOrAll } from './guard.js';

const address = record('a.example.com. A 192.0.2.1');
const deletions = (count: number) =>
  Array.from({ length: count }, () => change(address, undefined));

describe('guard of many records', () => {
  it.each([
    [10, 3, false],
    [10, 4, true],
    [9, 9, false],
  ])('of %i records %i: %s', (recordCount, count, expected) => {
    expect(removesMany({ recordCount }, deletions(count))).toBe(expected);
  });

  it('counts records that are newly disabled, and none that were disabled before', () => {
    const zone = { recordCount: 10 };
    const four = [1, 2, 3, 4];
    expect(
      removesMany(
        zone,
        four.map(() => change(address, off(address))),
      ),
    ).toBe(true);
    expect(
      removesMany(
        zone,
        four.map(() => change(off(address), undefined)),
      ),
    ).toBe(false);
  });

  it('protects the last record of a small zone against a replacement', () => {
    expect(removesManyOrAll({ recordCount: 1 }, deletions(1))).toBe(true);
    expect(removesManyOrAll({ recordCount: 2 }, deletions(1))).toBe(false);
    expect(removesManyOrAll({ recordCount: 0 }, [])).toBe(false);
  });
});
