import { describe, expect, it } from '@jest/globals';
import { WaitingPlaces } from './waiting-places.js';

/** Takes places until there is none; how many these were. */
function takeAll(places: WaitingPlaces, tenantId: string): number {
  let taken = 0;
  while (places.take(tenantId)) taken++;
  return taken;
}

describe('decisions 3, Who may wait', () => {
  it('one tenant cannot take the places of others', () => {
    const places = new WaitingPlaces(100);
    expect(takeAll(places, 'greedy')).toBe(50);
    expect(takeAll(places, 'other')).toBe(25);
    expect(takeAll(places, 'third')).toBeGreaterThan(0);
    expect(places.take('greedy')).toBe(false);
  });

  it('those who go make room: tenants that go on wanting come to have the same', () => {
    const places = new WaitingPlaces(90);
    const taken = new Map([['first', takeAll(places, 'first')]]);
    for (let turn = 0; turn < 200; turn++) {
      for (const tenantId of ['first', 'second']) {
        const own = taken.get(tenantId) ?? 0;
        if (own > 0) places.leave(tenantId);
        taken.set(tenantId, Math.max(0, own - 1) + takeAll(places, tenantId));
      }
    }
    expect(Object.fromEntries(taken)).toEqual({ first: 30, second: 30 });
  });

  it('never holds more than there are', () => {
    const places = new WaitingPlaces(7);
    const all = Array.from({ length: 50 }, (_, i) => takeAll(places, `tenant-${i}`));
    expect(all.reduce((sum, each) => sum + each)).toBe(7);
  });
});
