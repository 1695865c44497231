import { describe, expect, it } from '@jest/globals';
import { BatchQueues, Batcher } from './batcher.js';

/** Runs end when `end` is called; `runs`: what each was given. */
function recorded(atOnce: number, most: number) {
  const runs: (readonly number[])[] = [];
  const ends: (() => void)[] = [];
  const batcher = new Batcher<number, number>(
    async (items) => {
      runs.push(items);
      await new Promise<void>((resolve) => ends.push(resolve));
      if (items.includes(13)) throw new Error('thirteen');
      return items.map((item) => item * 2);
    },
    { atOnce, most },
  );
  return { batcher, runs, end: () => ends.shift()?.() };
}

const settle = async () => {
  for (let turn = 0; turn < 3; turn += 1) await new Promise((resolve) => setImmediate(resolve));
};

describe('Batcher', () => {
  it('does what comes meanwhile in one go, in its order, and so many at most', async () => {
    const { batcher, runs, end } = recorded(1, 3);
    const first = batcher.do(1);
    await settle();
    const others = [2, 3, 4, 5].map((item) => batcher.do(item));
    await settle();
    expect(runs).toEqual([[1]]);
    end();
    expect(await first).toBe(2);
    await settle();
    expect(runs).toEqual([[1], [2, 3, 4]]);
    end();
    await settle();
    end();
    expect(await Promise.all(others)).toEqual([4, 6, 8, 10]);
    expect(runs).toEqual([[1], [2, 3, 4], [5]]);
    await settle();
    expect(batcher.isIdle).toBe(true);
  });

  it('has as many runs under way as are allowed, and goes on after one that failed', async () => {
    const { batcher, runs, end } = recorded(2, 9);
    const wrong = batcher.do(13);
    await settle();
    const right = batcher.do(1);
    await settle();
    expect(runs).toEqual([[13], [1]]);
    end();
    await expect(wrong).rejects.toThrow('thirteen');
    end();
    expect(await right).toBe(2);
    const later = batcher.do(3);
    await settle();
    end();
    expect(await later).toBe(6);
  });
});

describe('BatchQueues', () => {
  it('keep places apart', async () => {
    const queues = new BatchQueues();
    const runs: string[][] = [];
    const options = {
      atOnce: 1,
      most: 9,
      run: (items: readonly string[]) => {
        runs.push([...items]);
        return Promise.resolve(items);
      },
    };
    const all = ['a1', 'b1', 'a2'].map((item) => queues.do(item.slice(0, 1), item, options));
    expect(await Promise.all(all)).toEqual(['a1', 'b1', 'a2']);
    expect(runs).toEqual([['a1', 'a2'], ['b1']]);
  });
});
