import { describe, expect, it } from '@jest/globals';
import { BoundedMap } from './bounded-map.js';

describe('BoundedMap', () => {
  it('removes the oldest entry first; a value that is set again is new', () => {
    const map = new BoundedMap<number, string>(2);
    map.set(1, 'a').set(2, 'b').set(1, 'c').set(3, 'd');
    expect([...map]).toEqual([
      [1, 'c'],
      [3, 'd'],
    ]);
  });

  it('continues after it was emptied, key by key or at once', () => {
    const map = new BoundedMap<number, number>(2);
    for (let round = 0; round < 3; round += 1) {
      for (let key = 0; key < 5; key += 1) map.set(key, round);
      expect([...map.keys()]).toEqual([3, 4]);
      if (round === 1) map.clear();
      else for (const key of [4, 3]) map.delete(key);
      expect(map.size).toBe(0);
    }
  });

  it('has the same content as a list after any changes', () => {
    const map = new BoundedMap<number, number>(8);
    let expected: [number, number][] = [];
    for (let step = 0; step < 5_000; step += 1) {
      const key = ((step * 2_654_435_761) % 2 ** 32) % 23;
      expected = expected.filter(([other]) => other !== key);
      if (step % 5 === 0) map.delete(key);
      else {
        map.set(key, step);
        expected = [...expected, [key, step] as [number, number]].slice(-8);
      }
      expect([...map]).toEqual(expected);
    }
  });
});
