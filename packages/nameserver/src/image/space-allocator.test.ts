import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';

import { SpaceAllocator } from './space-allocator.js';

describe('SpaceAllocator', () => {
  it('uses freed space before new space', () => {
    const space = new SpaceAllocator(20, 1000);
    const [first, second] = [space.allocate(10), space.allocate(10)];
    expect([first, second]).toEqual([20, 30]);
    space.release(20, 10);
    expect(space.allocate(4)).toBe(20);
    expect(space.allocate(6)).toBe(24);
    expect(space.highWater).toBe(40);
  });

  it('joins free neighbours', () => {
    const space = new SpaceAllocator(0, 1000);
    for (let i = 0; i < 4; i++) space.allocate(10);
    space.release(0, 10);
    space.release(20, 10);
    space.release(10, 10);
    expect(space.allocate(30)).toBe(0);
  });

  it('has a limit', () => {
    const space = new SpaceAllocator(0, 10);
    expect(space.allocate(11)).toBeNull();
    expect(space.allocate(10)).toBe(0);
    expect(space.allocate(1)).toBeNull();
  });

  it('never allocates a unit twice', () => {
    const steps = fc.array(fc.record({ units: fc.integer({ min: 1, max: 40 }), drop: fc.nat() }), {
      minLength: 50,
      maxLength: 200,
      size: 'max',
    });
    fc.assert(
      fc.property(steps, (all) => {
        const space = new SpaceAllocator(1, 4000);
        const held: { unit: number; units: number }[] = [];
        for (const { units, drop } of all) {
          const unit = space.allocate(units);
          if (unit === null) continue;
          const overlaps = held.some(
            (other) => unit < other.unit + other.units && other.unit < unit + units,
          );
          expect(overlaps).toBe(false);
          held.push({ unit, units });
          if (drop % 2 === 1) {
            const [gone] = held.splice(drop % held.length, 1);
            if (gone !== undefined) space.release(gone.unit, gone.units);
          }
        }
      }),
      { numRuns: 50 },
    );
  });
});
