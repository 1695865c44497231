import { describe, expect, it } from '@jest/globals';
import { FairSlots, Overload } from '@zonewright/service-kit';
import { inFairOrder } from './tenant-turn.js';

const settle = () => new Promise((resolve) => setImmediate(resolve));

describe('inTenantTurn', () => {
  it('frees the slot of a turn if the gate then has none', async () => {
    const places = new FairSlots({ divided: 1, total: 3, queue: { perOwner: 2, waitMs: 10_000 } });
    expect(places.tryEnter('a')).toBe(true);
    const turn = {
      aside: async <T>(wait: () => Promise<T>): Promise<T> => {
        await wait();
        throw new Overload();
      },
      leave: () => undefined,
      checkAwaited: () => undefined,
    };
    const refused = inFairOrder({ turn, places, tenantId: 'a' }, settle);
    places.leave('a');
    await expect(refused).rejects.toBeInstanceOf(Overload);
    expect(places.tryEnter('a')).toBe(true);
    places.leave('a');
  });
});
