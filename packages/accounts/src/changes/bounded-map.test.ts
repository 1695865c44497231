import { describe, expect, it } from '@jest/globals';
import { BoundedMap } from './bounded-map.js';

describe('BoundedMap', () => {
  it('forgets the oldest first; what is set anew is new', () => {
    const map = new BoundedMap<number, string>(2);
    map.set(1, 'a').set(2, 'b').set(1, 'c').set(3, 'd');
    expect([...map]).toEqual([
      [1, 'c'],
      [3, 'd'],
    ]);
  });
});
