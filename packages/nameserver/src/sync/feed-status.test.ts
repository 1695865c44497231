import { describe, expect, it } from '@jest/globals';
import { FeedStatus } from './feed-status.js';

function statusAt(...moments: readonly number[]): FeedStatus {
  const status = new FeedStatus(0);
  for (const at of moments) {
    status.horizon = `${at}:${at}:`;
    status.reached(at, 1);
  }
  return status;
}

describe('the first reading after a start', () => {
  it.each<[string, (status: FeedStatus) => unknown]>([
    ['has succeeded', (status) => status.reached(1, 0)],
    ['has failed', (status) => status.lost()],
  ])('has ended when it %s', async (_, end) => {
    const status = new FeedStatus(0);
    end(status);
    await expect(status.firstReading).resolves.toBeUndefined();
  });

  it('has not ended with a snapshot: answers may have had later serials', async () => {
    const status = new FeedStatus(0);
    status.resume('5', 1);
    const order: string[] = [];
    const reading = status.firstReading.then(() => order.push('reading'));
    await Promise.resolve();
    order.push('snapshot');
    status.reached(2, 0);
    await reading;
    expect(order).toEqual(['snapshot', 'reading']);
  });
});

describe('FeedStatus', () => {
  it('keeps each time at which zones changed until it was reported', () => {
    const status = statusAt(1, 2);
    const told = status.moments;
    status.reached(3, 0);
    status.horizon = '4:4:';
    status.reached(4, 2);
    status.told(told);
    expect(told).toEqual([
      { horizon: '1:1:', at: 1 },
      { horizon: '2:2:', at: 2 },
    ]);
    expect(status.moments).toEqual([{ horizon: '4:4:', at: 4 }]);
  });

  it('keeps a limited number of them, the latest ones', () => {
    const { moments } = statusAt(...Array.from({ length: 1_500 }, (_, index) => index + 1));
    expect(moments).toHaveLength(1_000);
    expect(moments.at(-1)?.at).toBe(1_500);
  });

  it('becomes older by the clock, even if that is set back', () => {
    const status = statusAt(1_000);
    expect(status.lagMs(1_007)).toBe(7);
    expect(status.lagMs(500)).toBe(0);
    expect(status.lagMs(507)).toBe(7);
  });

  it('ADR 0020: a position is durable when the log was flushed up to it', () => {
    const status = new FeedStatus(0);
    const move = (position: string, inserted: number, flushed: number, lineage = '1/00000001') => {
      const place = { position, horizon: `${position}:${position}:`, lineage };
      status.moveTo({ ...place, log: { inserted, flushed } });
      return status.durable;
    };
    expect(move('5', 100, 90)).toBe('0');
    expect(move('6', 110, 99)).toBe('0');
    expect(move('7', 120, 100)).toBe('5');
    expect(move('8', 130, 119)).toBe('5');
    expect(move('9', 140, 120)).toBe('7');
    expect(move('10', 140, 140)).toBe('10');
    expect(status.isDurable).toBe(true);
    expect(move('11', 150, 140)).toBe('10');
    expect(status.isDurable).toBe(false);
    // This is a position of another history, whose log has a different length.
    expect(move('12', 30, 20, '1/00000002')).toBe('10');
    expect(move('13', 40, 30, '1/00000002')).toBe('12');
  });

  it('ADR 0020: is known only if position, horizon and lineage belong together', () => {
    const status = new FeedStatus(0);
    status.resume('7', 1);
    expect(status.place).toBeUndefined();
    status.resume('7', 1, '1/00000001');
    expect(status.place).toEqual({ position: '7', horizon: '7:7:', lineage: '1/00000001' });
  });
});
