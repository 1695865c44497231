import { describe, expect, it } from '@jest/globals';
import { Overload } from '@zonewright/service-kit';
import { Counter, Registry } from 'prom-client';
import { TenantPlaces } from './tenant-places.js';
import { inTenantTurn } from './tenant-turn.js';

const LIMITS = { ofTenant: 2, ofAll: 3, waiting: 2, waitMs: 10_000 };

const placesOf = (limits = {}) =>
  new TenantPlaces({
    ...LIMITS,
    ...limits,
    refused: new Counter({ name: 'refused', help: 'x', registers: [new Registry()] }),
  });

/** Who came in, in their order. */
function enterAll(places: TenantPlaces, tenants: readonly string[]): string[] {
  const entered: string[] = [];
  for (const tenant of tenants) void places.enter(tenant).then(() => entered.push(tenant));
  return entered;
}

const settle = () => new Promise((resolve) => setImmediate(resolve));

describe('TenantPlaces', () => {
  it('gives a tenant its places, and the others theirs', async () => {
    const places = placesOf();
    const entered = enterAll(places, ['a', 'a', 'a', 'b']);
    await settle();
    expect(entered).toEqual(['a', 'a', 'b']);
    places.leave('b');
    places.leave('a');
    await settle();
    expect(entered).toEqual(['a', 'a', 'b', 'a']);
    for (const tenant of ['a', 'a']) places.leave(tenant);
  });

  it('gives a tenant fewer places, the more others there are', async () => {
    const places = placesOf({ ofTenant: 4, ofAll: 9, waiting: 9 });
    const entered = enterAll(places, ['a', 'a', 'a', 'a', 'b', 'c', 'c']);
    await settle();
    expect(entered).toEqual(['a', 'a', 'a', 'a', 'b', 'c', 'c']);
    enterAll(places, ['a']);
    places.leave('a');
    places.leave('a');
    await settle();
    expect(places.tryEnter('a')).toBe(false);
    for (const tenant of ['b', 'c', 'c']) places.leave(tenant);
    await settle();
    expect(places.tryEnter('a')).toBe(true);
    for (let left = 0; left < 4; left += 1) places.leave('a');
  });

  it('admits those who wait by tenants in turn, whoever waits with more', async () => {
    const places = placesOf({ ofTenant: 1, ofAll: 1, waiting: 10 });
    const entered = enterAll(places, ['a', 'a', 'a', 'a', 'b', 'c', 'b']);
    for (let turn = 0; turn < 7; turn += 1) {
      await settle();
      places.leave(entered[turn] ?? '');
    }
    expect(entered).toEqual(['a', 'b', 'c', 'a', 'b', 'a', 'a']);
  });

  it('refuses at once who would wait behind too many of the same tenant', async () => {
    const places = placesOf({ ofTenant: 1 });
    enterAll(places, ['a', 'a', 'a']);
    await expect(places.enter('a')).rejects.toBeInstanceOf(Overload);
    expect(places.tryEnter('b')).toBe(true);
    for (const tenant of ['a', 'a', 'a', 'b']) {
      await settle();
      places.leave(tenant);
    }
  });

  it('refuses who has waited too long, and goes on with the others', async () => {
    const places = placesOf({ ofTenant: 1, waitMs: 5 });
    expect(places.tryEnter('a')).toBe(true);
    await expect(places.enter('a')).rejects.toBeInstanceOf(Overload);
    places.leave('a');
    expect(places.tryEnter('a')).toBe(true);
    places.leave('a');
  });

  it('gives a place back when its work fails, or the waiting for it after it was taken', async () => {
    const places = placesOf({ ofTenant: 1 });
    const fails = () => Promise.reject(new Error('fails'));
    await expect(places.run('a', fails)).rejects.toThrow('fails');
    expect(places.tryEnter('a')).toBe(true);
    const waited = places.run('a', settle, async (enter) => {
      await enter();
      throw new Overload();
    });
    places.leave('a');
    await expect(waited).rejects.toBeInstanceOf(Overload);
    expect(places.tryEnter('a')).toBe(true);
    places.leave('a');
  });

  it('gives the place of a turn back when the gate has none for it afterwards', async () => {
    const places = placesOf({ ofTenant: 1 });
    expect(places.tryEnter('a')).toBe(true);
    const turn = {
      aside: async <T>(wait: () => Promise<T>): Promise<T> => {
        await wait();
        throw new Overload();
      },
      leave: () => undefined,
      checkAwaited: () => undefined,
    };
    const refused = inTenantTurn({ turn, places, tenantId: 'a' }, settle);
    places.leave('a');
    await expect(refused).rejects.toBeInstanceOf(Overload);
    expect(places.tryEnter('a')).toBe(true);
    places.leave('a');
  });

  it('admits all who may come in when another tenant has left', async () => {
    const places = placesOf({ ofTenant: 4, ofAll: 9, waiting: 9 });
    enterAll(places, ['b', 'b', 'a', 'a']);
    await settle();
    const entered = enterAll(places, ['a', 'a']);
    places.leave('b');
    places.leave('b');
    await settle();
    expect(entered).toEqual(['a', 'a']);
    for (let left = 0; left < 4; left += 1) places.leave('a');
  });
});
