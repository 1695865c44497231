import { describe, expect, it } from '@jest/globals';
import type { Publication } from '../../api/publication.js';
import { sumUpDelays } from './delays.js';

/** Describes one change, with the delay of each nameserver. */
const change = (delays: Readonly<Record<string, number | null>>) =>
  ({
    nameservers: Object.entries(delays).map(([name, ms]) => ({ name, delay_ms: ms })),
  }) as Publication;
const of = (...delays: readonly (number | null)[]) =>
  sumUpDelays(delays.map((ms) => change({ a: ms })));

describe('sumUpDelays', () => {
  it('is empty without changes', () => {
    expect(sumUpDelays([])).toEqual([]);
  });

  it('has equal values for a single change', () => {
    expect(of(7)).toEqual([{ name: 'a', changes: 1, p50: 7, p99: 7 }]);
  });

  it('p50 is the value at or below which half of the delays are, in any order', () => {
    expect(of(40, 10, 30, 20)).toEqual([{ name: 'a', changes: 4, p50: 20, p99: 40 }]);
    expect(of(30, 10, 20)).toEqual([{ name: 'a', changes: 3, p50: 20, p99: 30 }]);
  });

  it('sorts numbers as numbers', () => {
    expect(of(9, 100, 10)).toEqual([{ name: 'a', changes: 3, p50: 10, p99: 100 }]);
  });

  it('p99 excludes one of a hundred values, and none of fewer', () => {
    const upTo = (most: number) => of(...Array.from({ length: most }, (_, at) => at + 1))[0];
    expect(upTo(99)).toEqual({ name: 'a', changes: 99, p50: 50, p99: 99 });
    expect(upTo(100)).toEqual({ name: 'a', changes: 100, p50: 50, p99: 99 });
    expect(upTo(200)).toEqual({ name: 'a', changes: 200, p50: 100, p99: 198 });
  });

  it('ignores unknown delays, and counts each nameserver separately', () => {
    expect(sumUpDelays([change({ a: null, b: 0 }), change({ a: 5, b: 4 })])).toEqual([
      { name: 'b', changes: 2, p50: 0, p99: 4 },
      { name: 'a', changes: 1, p50: 5, p99: 5 },
    ]);
  });
});
