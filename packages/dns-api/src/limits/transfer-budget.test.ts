import { describe, expect, it } from '@jest/globals';
import { createLogger } from '@zonewright/service-kit';
import { FakeClock } from '@zonewright/testkit';
import { TransferBudget } from './transfer-budget.js';

const log = createLogger('test', 'silent');
let digests = 0;

const transfer = (members: object = {}) => {
  digests += 1;
  return { accessKeyId: 'K', tenantId: 't', digest: String(digests), fudge: 300, ...members };
};

const many = async (budget: TransferBudget, count: number, members?: object) => {
  const reasons: (string | undefined)[] = [];
  for (let at = 0; at < count; at += 1) reasons.push(await budget.take(transfer(members)));
  return reasons.filter((reason) => reason === undefined).length;
};

describe('TransferBudget', () => {
  it('allows a key ten transfers at once, then one in six seconds', async () => {
    const clock = new FakeClock();
    const budget = new TransferBudget({ shared: undefined, clock, log });
    expect(await many(budget, 12)).toBe(10);
    expect(await budget.take(transfer())).toContain('10 times a minute');
    clock.advance(6_000);
    expect(await many(budget, 3)).toBe(1);
    expect(await many(budget, 1, { accessKeyId: 'L' })).toBe(1);
  });

  it('allows the keys of a tenant sixty, and those of another tenant as many', async () => {
    const budget = new TransferBudget({ shared: undefined, clock: new FakeClock(), log });
    const counts: number[] = [];
    for (let key = 0; key < 7; key += 1)
      counts.push(await many(budget, 10, { accessKeyId: `K${key}` }));
    expect(counts).toEqual([10, 10, 10, 10, 10, 10, 0]);
    expect(await budget.take(transfer({ accessKeyId: 'new' }))).toContain('project');
    expect(await many(budget, 10, { accessKeyId: 'M', tenantId: 'other' })).toBe(10);
  });

  it('allows one transfer for each message while it is valid, whoever repeats it', async () => {
    const clock = new FakeClock();
    const budget = new TransferBudget({ shared: undefined, clock, log });
    const once = transfer();
    const both = await Promise.all([budget.take(once), budget.take(once)]);
    expect(both.filter((reason) => reason === undefined)).toHaveLength(1);
    clock.advance(599_000);
    for (let at = 0; at < 20; at += 1) expect(await budget.take(once)).toContain('used before');
    // The copies have used up nothing of the key.
    expect(await many(budget, 10)).toBe(10);
  });

  it('counts in this process while Redis is away', async () => {
    const shared = { addUpTo: () => Promise.reject(new Error('no connection')) };
    const budget = new TransferBudget({ shared, clock: new FakeClock(), log });
    expect(await many(budget, 11)).toBe(10);
  });
});
