import { describe, expect, it } from '@jest/globals';
import { Overload } from '../values/errors.js';
import { FairSlots, type SlotRequest } from './fair-slots.js';

const QUEUE = { perOwner: 2, waitMs: 10_000 };

const slotsOf = (divided: number, total: number, queue: Partial<typeof QUEUE> = {}) =>
  new FairSlots({ divided, total, queue: { ...QUEUE, ...queue } });

/** Returns the owners in the order in which they entered. */
function enterAll(slots: FairSlots, tenants: readonly string[]): string[] {
  const entered: string[] = [];
  for (const tenant of tenants) void slots.enter(tenant).then(() => entered.push(tenant));
  return entered;
}

const settle = () => new Promise((resolve) => setImmediate(resolve));

describe('FairSlots', () => {
  it('gives a tenant its slots, and leaves the others theirs', async () => {
    const slots = slotsOf(2, 3);
    const entered = enterAll(slots, ['a', 'a', 'a', 'b']);
    await settle();
    expect(entered).toEqual(['a', 'a', 'b']);
    slots.leave('b');
    slots.leave('a');
    await settle();
    expect(entered).toEqual(['a', 'a', 'b', 'a']);
    for (const tenant of ['a', 'a']) slots.leave(tenant);
  });

  it('gives a tenant fewer slots if there are more others', async () => {
    const slots = slotsOf(4, 9, { perOwner: 9 });
    const entered = enterAll(slots, ['a', 'a', 'a', 'a', 'b', 'c', 'c']);
    await settle();
    expect(entered).toEqual(['a', 'a', 'a', 'a', 'b', 'c', 'c']);
    enterAll(slots, ['a']);
    slots.leave('a');
    slots.leave('a');
    await settle();
    expect(slots.tryEnter('a')).toBe(false);
    for (const tenant of ['b', 'c', 'c']) slots.leave(tenant);
    await settle();
    expect(slots.tryEnter('a')).toBe(true);
    for (let left = 0; left < 4; left += 1) slots.leave('a');
  });

  it('admits waiting tenants in turn, whichever of them has more requests', async () => {
    const slots = slotsOf(1, 1, { perOwner: 10 });
    const entered = enterAll(slots, ['a', 'a', 'a', 'a', 'b', 'c', 'b']);
    for (let turn = 0; turn < 7; turn += 1) {
      await settle();
      slots.leave(entered[turn] ?? '');
    }
    expect(entered).toEqual(['a', 'b', 'c', 'a', 'b', 'a', 'a']);
  });

  it('refuses a request at once if too many of the same tenant wait', async () => {
    const slots = slotsOf(1, 3);
    enterAll(slots, ['a', 'a', 'a']);
    await expect(slots.enter('a')).rejects.toBeInstanceOf(Overload);
    expect(slots.tryEnter('b')).toBe(true);
    for (const tenant of ['a', 'a', 'a', 'b']) {
      await settle();
      slots.leave(tenant);
    }
  });

  it('refuses a request that has waited too long, and continues with the others', async () => {
    const slots = slotsOf(1, 3, { waitMs: 5 });
    expect(slots.tryEnter('a')).toBe(true);
    await expect(slots.enter('a')).rejects.toBeInstanceOf(Overload);
    slots.leave('a');
    expect(slots.tryEnter('a')).toBe(true);
    slots.leave('a');
  });

  it('frees a slot when its work fails, or the waiting for it after it was taken', async () => {
    const slots = slotsOf(1, 3);
    const fails = () => Promise.reject(new Error('fails'));
    await expect(slots.run('a', fails)).rejects.toThrow('fails');
    expect(slots.tryEnter('a')).toBe(true);
    const wait = async (enter: () => Promise<void>) => {
      await enter();
      throw new Overload();
    };
    const waited = slots.run('a', settle, { wait });
    slots.leave('a');
    await expect(waited).rejects.toBeInstanceOf(Overload);
    expect(slots.tryEnter('a')).toBe(true);
    slots.leave('a');
  });

  it('admits all waiting requests that fit when another tenant has left', async () => {
    const slots = slotsOf(4, 9, { perOwner: 9 });
    enterAll(slots, ['b', 'b', 'a', 'a']);
    await settle();
    const entered = enterAll(slots, ['a', 'a']);
    slots.leave('b');
    slots.leave('b');
    await settle();
    expect(entered).toEqual(['a', 'a']);
    for (let left = 0; left < 4; left += 1) slots.leave('a');
  });

  it('counts slots by amount, such as bytes', () => {
    const slots = new FairSlots({ total: 64, perOwner: 16 });
    expect(slots.tryEnter('a', { amount: 16 })).toBe(true);
    expect(slots.tryEnter('a', { amount: 1 })).toBe(false);
    expect(slots.hasRoom('a')).toBe(false);
    expect(slots.hasRoom('b')).toBe(true);
    slots.count('a', { amount: 20 });
    slots.leave('a', { amount: 36 });
    expect([slots.taken, slots.hasRoom('a')]).toEqual([0, true]);
  });
});

describe('ranks of FairSlots', () => {
  const known = { rank: 0 };
  const unknown = { rank: 1 };
  const ranked = () =>
    new FairSlots({
      total: 4,
      laterRanks: [1],
      queue: { perOwner: 9, total: 20, laterRanks: [3], waitMs: 10_000 },
    });

  it('leave slots for known senders, however many unknown ones arrive', () => {
    const slots = ranked();
    const entered = ['x', 'y', 'z'].map((name) => slots.tryEnter(name, unknown));
    expect(entered).toEqual([true, false, false]);
    expect(['a', 'b', 'c'].map((name) => slots.tryEnter(name, known))).toEqual([true, true, true]);
  });

  it('admit known senders first', async () => {
    const slots = ranked();
    for (const name of ['a', 'b', 'c', 'd']) slots.tryEnter(name);
    const entered: string[] = [];
    const enter = (name: string, request: SlotRequest) =>
      void slots.enter(name, request).then(() => entered.push(name));
    enter('x', unknown);
    enter('e', known);
    slots.leave('a');
    await settle();
    expect(entered).toEqual(['e']);
    slots.leave('b');
    await settle();
    expect(entered).toEqual(['e', 'x']);
    for (const name of ['c', 'd', 'e']) slots.leave(name);
    slots.leave('x', unknown);
    expect(slots.taken).toBe(0);
  });

  it('also limit the unknown senders that wait', async () => {
    const slots = ranked();
    slots.tryEnter('x', unknown);
    const waiting = ['u', 'v', 'w'].map((name) => slots.enter(name, unknown));
    await expect(slots.enter('y', unknown)).rejects.toBeInstanceOf(Overload);
    expect(slots.waiting).toBe(3);
    for (const [at, name] of ['x', 'u', 'v', 'w'].entries()) {
      slots.leave(name, unknown);
      await waiting[at];
    }
    expect([slots.taken, slots.waiting]).toEqual([0, 0]);
  });

  it('an owner with another rank counts as another owner', () => {
    const slots = ranked();
    expect(slots.tryEnter('a', unknown)).toBe(true);
    expect(slots.tryEnter('b', unknown)).toBe(false);
    expect(slots.tryEnter('a', known)).toBe(true);
  });
});

/** Takes slots until none is left, and returns their number. */
function takeAll(slots: FairSlots, tenantId: string): number {
  let taken = 0;
  while (slots.tryEnter(tenantId)) taken++;
  return taken;
}

describe('D-ZONE-96: the owners of FairSlots', () => {
  it('one tenant cannot take the slots of others', () => {
    const slots = new FairSlots({ total: 100 });
    expect(takeAll(slots, 'greedy')).toBe(50);
    expect(takeAll(slots, 'other')).toBe(25);
    expect(takeAll(slots, 'third')).toBeGreaterThan(0);
    expect(slots.tryEnter('greedy')).toBe(false);
  });

  it('finished requests free slots, until all tenants that continue have the same number', () => {
    const slots = new FairSlots({ total: 90 });
    const taken = new Map([['first', takeAll(slots, 'first')]]);
    for (let turn = 0; turn < 200; turn++) {
      for (const tenantId of ['first', 'second']) {
        const own = taken.get(tenantId) ?? 0;
        if (own > 0) slots.leave(tenantId);
        taken.set(tenantId, Math.max(0, own - 1) + takeAll(slots, tenantId));
      }
    }
    expect(Object.fromEntries(taken)).toEqual({ first: 30, second: 30 });
  });

  it('never uses more than the total', () => {
    const slots = new FairSlots({ total: 7 });
    const all = Array.from({ length: 50 }, (_, i) => takeAll(slots, `tenant-${i}`));
    expect(all.reduce((sum, each) => sum + each)).toBe(7);
  });
});
