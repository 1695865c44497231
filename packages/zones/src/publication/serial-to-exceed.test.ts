import { describe, expect, it } from '@jest/globals';
import { serialToExceed } from './ahead-zone-store.js';

const NOW = 1_795_000_000;
const LAST = 4_294_967_295;

describe('ADR 0020: the serial that the next version of a zone must exceed', () => {
  it.each<[string, number, readonly number[], number | undefined]>([
    ['none, when nobody has one', NOW, [], undefined],
    ['none, when all are older', NOW, [NOW - 1, NOW - 50], undefined],
    ['its own, when another version has the same', NOW, [NOW], NOW],
    ['the latest', NOW, [NOW + 3, NOW + 9, NOW + 1], NOW + 9],
    ['the latest, of a zone restored from a month ago', NOW - 2_600_000, [NOW - 5], NOW - 5],
    ['that of a zone that counts dates', 2_026_112_100, [2_026_112_107], 2_026_112_107],
    ['the one after the last number', LAST, [3], 3],
    ['the one before it is older', 3, [LAST], undefined],
    ['none that lost changes do not explain', NOW, [NOW + 1_000_001], undefined],
    ['the plausible one of several', NOW, [NOW + 2, LAST], NOW + 2],
  ])('%s', (_, own, answered, expected) => {
    expect(serialToExceed(own, answered, NOW)).toBe(expected);
  });
});
