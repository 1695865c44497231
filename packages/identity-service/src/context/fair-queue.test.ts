import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Overload } from '@zonewright/service-kit';
import { FairQueue, SourceStanding } from './fair-queue.js';
import { partyOf } from './returning-clients.js';

const FLOOD = '192.0.2.1';

let queue: FairQueue;
/** The release functions of the occupied slots, oldest first. */
let atWork: (() => void)[];
let standing: SourceStanding;

beforeEach(() => {
  jest.useFakeTimers();
  standing = new SourceStanding();
  queue = new FairQueue({ places: 1, standing, onRefused: () => undefined });
  atWork = [queue.tryEnter('203.0.113.1')!];
});
afterEach(() => {
  jest.useRealTimers();
});

/** A request that waits for a slot. */
function wait(source = FLOOD) {
  const waiter = { outcome: 'waits' };
  queue.enter(source).then(
    (leave) => {
      waiter.outcome = 'in';
      atWork.push(leave);
    },
    (error: unknown) => (waiter.outcome = error instanceof Overload ? 'refused' : String(error)),
  );
  return waiter;
}

/** Frees this number of slots, one after the other. */
async function serve(count: number, eachMs: number): Promise<void> {
  for (let n = 0; n < count; n += 1) {
    await jest.advanceTimersByTimeAsync(eachMs);
    atWork.shift()?.();
  }
  await jest.advanceTimersByTimeAsync(0);
}

describe('FairQueue (D-ACC-51)', () => {
  it('serves as many requests as possible when more wait, and refuses the rest after 500 ms', async () => {
    const many = Array.from({ length: 100 }, () => wait());
    await serve(24, 20);
    expect(many.slice(0, 24).map(({ outcome }) => outcome)).toEqual(Array(24).fill('in'));
    await jest.advanceTimersByTimeAsync(100);
    expect(many.slice(24).map(({ outcome }) => outcome)).toEqual(Array(76).fill('refused'));
  });

  it('serves one network in order of arrival, although its failures lose weight in the meantime', async () => {
    for (let n = 0; n < 1_000; n += 1) standing.addFailure(FLOOD);
    const first = wait();
    await jest.advanceTimersByTimeAsync(400);
    const second = wait();
    await serve(1, 10);
    expect([first.outcome, second.outcome]).toEqual(['in', 'waits']);
  });

  it('refuses the source with the most waiting requests, not the latest one', async () => {
    const flood = Array.from({ length: 300 }, () => wait());
    const other = wait('198.51.100.1');
    await serve(2, 20);
    expect(other.outcome).toBe('in');
    expect(flood.filter(({ outcome }) => outcome === 'in')).toHaveLength(1);
  });

  it('admits a returning client before all who fail in its network, however many wait', async () => {
    const client = { id: 'mark', accountId: 'owner', credentialGeneration: 0 };
    for (let n = 0; n < 12; n += 1) standing.addFailure(FLOOD);
    const flood = Array.from({ length: 12 }, () => wait());
    const owner = wait(partyOf(FLOOD, client));
    await serve(1, 20);
    expect([owner.outcome, flood[0]?.outcome]).toEqual(['in', 'waits']);
  });

  it('gives an account one share, however many marks it has', async () => {
    const marks = ['one', 'two', 'three'].map((id) =>
      partyOf(FLOOD, { id, accountId: 'attacker', credentialGeneration: 0 }),
    );
    for (const mark of marks) standing.addFailure(mark);
    const attacker = marks.map((mark) => wait(mark));
    const other = wait('198.51.100.1');
    await serve(1, 20);
    expect(other.outcome).toBe('in');
    expect(attacker.map(({ outcome }) => outcome)).toEqual(['waits', 'waits', 'waits']);
  });

  it('keeps one of several slots for sources that did not fail', async () => {
    for (let n = 0; n < 100; n += 1) standing.addFailure(FLOOD);
    queue = new FairQueue({ places: 3, standing, onRefused: () => undefined });
    const flood = Array.from({ length: 4 }, () => wait());
    const other = wait('198.51.100.1');
    await jest.advanceTimersByTimeAsync(0);
    expect(flood.map(({ outcome }) => outcome)).toEqual(['in', 'in', 'waits', 'waits']);
    expect(other.outcome).toBe('in');
    atWork.pop()?.();
    await jest.advanceTimersByTimeAsync(0);
    expect(flood.map(({ outcome }) => outcome)).toEqual(['in', 'in', 'waits', 'waits']);
  });

  it('gives a slot that a failing source leaves to the next of them', async () => {
    for (let n = 0; n < 100; n += 1) standing.addFailure(FLOOD);
    queue = new FairQueue({ places: 2, standing, onRefused: () => undefined });
    atWork = [];
    const flood = [wait(), wait()];
    await serve(1, 20);
    expect(flood.map(({ outcome }) => outcome)).toEqual(['in', 'in']);
  });
});
