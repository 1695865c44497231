import type { RequestSlot } from '@zonewright/http-api';
import type { FairSlots } from '@zonewright/service-kit';

/** The slot of a tenant's request. */
interface TenantTurn {
  readonly turn: RequestSlot;
  readonly places: FairSlots;
  readonly tenantId: string;
}

/**
 * Runs the work of a request in one of its tenant's slots. A request holds no slot of the gate while it waits for one
 * of its tenant's.
 * @throws Overload if no slot is free in time
 */
export async function inFairOrder<T>(
  { turn, places, tenantId }: TenantTurn,
  work: (turn: RequestSlot) => Promise<T>,
): Promise<T> {
  let isIn = places.tryEnter(tenantId);
  const enter = async () => {
    await places.enter(tenantId);
    isIn = true;
  };
  const leave = () => {
    if (isIn) places.leave(tenantId);
    isIn = false;
  };
  try {
    // The request may fail after it got the slot, if the gate has none.
    if (!isIn) await turn.aside(enter);
    return await work({
      aside: async (wait) => {
        leave();
        return await turn.aside(async () => {
          const result = await wait();
          await enter();
          return result;
        });
      },
      leave: () => {
        leave();
        turn.leave();
      },
      checkAwaited: () => {
        turn.checkAwaited();
      },
    });
  } finally {
    leave();
  }
}
