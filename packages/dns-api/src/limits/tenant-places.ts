import type { Counter } from 'prom-client';
import { Overload } from '@zonewright/service-kit';

interface PlaceLimits {
  /** Of one tenant at a time, as long as no other asks for any. */
  readonly ofTenant: number;
  /** Of all tenants together. */
  readonly ofAll: number;
  /** How many of a tenant's requests may wait for one, and how long. */
  readonly waiting: number;
  readonly waitMs: number;
  readonly refused: Counter;
}

interface Waiter {
  readonly enter: () => void;
  readonly timer: NodeJS.Timeout;
}

interface TenantState {
  atWork: number;
  readonly waiters: Waiter[];
}

/**
 * Places for work of one kind, shared among tenants: each has a few, and what it asks for beyond that waits in a queue of
 * its own. Whatever one tenant sends, the others find places: the more of them there are, the fewer each has.
 */
export class TenantPlaces {
  readonly #limits: PlaceLimits;
  /** Those with work or waiters; those whose turn is next come first. */
  readonly #tenants = new Map<string, TenantState>();
  #atWork = 0;

  constructor(limits: PlaceLimits) {
    this.#limits = limits;
  }

  /** Takes a place, which must be left, if there is one now. */
  tryEnter(tenantId: string): boolean {
    const state = this.#stateOf(tenantId);
    const hasPlace = this.#hasPlace(state);
    if (hasPlace) this.#take(tenantId, state);
    else this.#forgetIdle(tenantId, state);
    return hasPlace;
  }

  /** Waits for a place, which must be left. @throws Overload when none comes free in time. */
  async enter(tenantId: string): Promise<void> {
    if (this.tryEnter(tenantId)) return;
    const state = this.#stateOf(tenantId);
    if (state.waiters.length >= this.#limits.waiting) throw this.#refusal(tenantId, state);
    await new Promise<void>((enter, refuse) => {
      const timer = setTimeout(() => {
        state.waiters.splice(state.waiters.indexOf(waiter), 1);
        refuse(this.#refusal(tenantId, state));
      }, this.#limits.waitMs);
      const waiter = { enter, timer };
      state.waiters.push(waiter);
    });
  }

  /**
   * Does work at a place, which is left when it ends. @param wait how a place is waited for, if there is none now.
   *
   * @throws Overload when none comes free in time.
   */
  async run<T>(
    tenantId: string,
    work: () => Promise<T>,
    wait: (enter: () => Promise<void>) => Promise<void> = (enter) => enter(),
  ): Promise<T> {
    let isIn = this.tryEnter(tenantId);
    const enter = async () => {
      await this.enter(tenantId);
      isIn = true;
    };
    try {
      // It may fail after the place was taken.
      if (!isIn) await wait(enter);
      return await work();
    } finally {
      if (isIn) this.leave(tenantId);
    }
  }

  leave(tenantId: string): void {
    const state = this.#stateOf(tenantId);
    state.atWork -= 1;
    this.#atWork -= 1;
    this.#putLast(tenantId, state);
    this.#forgetIdle(tenantId, state);
    this.#admitNext();
  }

  #stateOf(tenantId: string): TenantState {
    let state = this.#tenants.get(tenantId);
    if (state === undefined) {
      state = { atWork: 0, waiters: [] };
      this.#tenants.set(tenantId, state);
    }
    return state;
  }

  #hasPlace({ atWork }: TenantState): boolean {
    const { ofTenant, ofAll } = this.#limits;
    return atWork < Math.ceil(ofTenant / this.#tenants.size) && this.#atWork < ofAll;
  }

  #take(tenantId: string, state: TenantState): void {
    state.atWork += 1;
    this.#atWork += 1;
    this.#putLast(tenantId, state);
  }

  /** Behind all others, for the place that comes free next. */
  #putLast(tenantId: string, state: TenantState): void {
    this.#tenants.delete(tenantId);
    this.#tenants.set(tenantId, state);
  }

  /** Each that is admitted goes behind the others, where it is looked at once more. */
  #admitNext(): void {
    for (const [tenantId, state] of this.#tenants) {
      if (state.waiters.length === 0 || !this.#hasPlace(state)) continue;
      const waiter = state.waiters.shift();
      clearTimeout(waiter?.timer);
      this.#take(tenantId, state);
      waiter?.enter();
    }
  }

  #refusal(tenantId: string, state: TenantState): Overload {
    this.#forgetIdle(tenantId, state);
    this.#limits.refused.inc();
    return new Overload();
  }

  #forgetIdle(tenantId: string, { atWork, waiters }: TenantState): void {
    if (atWork === 0 && waiters.length === 0) this.#tenants.delete(tenantId);
  }
}
