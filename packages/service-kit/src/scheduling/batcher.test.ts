import { describe, expect, it, jest } from '@jest/globals';
import { BatchQueues, Batcher } from './batcher.js';

/** Returns a batcher whose runs end when `end` is called; `runs` contains the items of each run. */
function recorded(
  atOnce: number,
  most: number,
  options: Partial<ConstructorParameters<typeof Batcher<number, number>>[1]> = {},
) {
  const runs: (readonly number[])[] = [];
  const ends: (() => void)[] = [];
  const batcher = new Batcher<number, number>(
    async (items) => {
      runs.push(items);
      await new Promise<void>((resolve) => ends.push(resolve));
      if (items.includes(13)) throw new Error('thirteen');
      return items.map((item) => item * 2);
    },
    { atOnce, most, ...options },
  );
  return { batcher, runs, end: () => ends.shift()?.() };
}

const settle = async () => {
  for (let turn = 0; turn < 3; turn += 1) await new Promise((resolve) => setImmediate(resolve));
};

describe('Batcher', () => {
  it('joins the items that arrive during a run into the next one, in order, up to the limit', async () => {
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

  it('starts as many concurrent runs as allowed, and continues after a failed one', async () => {
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

  it('lets the owners of items take turns in filling a run, each with its items in their order', async () => {
    const ownerOf = (item: number) => String(Math.floor(item / 10));
    const { batcher, runs, end } = recorded(1, 4, { ownerOf });
    const all = [1, 2, 3, 4, 5, 11, 21, 22].map((item) => batcher.do(item));
    for (let run = 0; run < 3; run += 1) {
      await settle();
      end();
    }
    await Promise.all(all);
    expect(runs).toEqual([
      [1, 11, 21, 2],
      [3, 22, 4, 5],
    ]);
  });

  it('limits the size of runs, except for a single larger item', async () => {
    const { batcher, runs, end } = recorded(1, 9, { mostOctets: 10, octetsOf: (item) => item });
    const all = [4, 5, 2, 20, 1].map((item) => batcher.do(item));
    for (let run = 0; run < 4; run += 1) {
      await settle();
      end();
    }
    await Promise.all(all);
    expect(runs).toEqual([[4, 5], [2], [20], [1]]);
  });

  it('makes items wait for a long run no longer than allowed', async () => {
    jest.useFakeTimers({ doNotFake: ['setImmediate'] });
    try {
      const { batcher, runs, end } = recorded(1, 9, { holdsUp: { ms: 50, most: 1 } });
      const all = [batcher.do(1)];
      await settle();
      all.push(batcher.do(2));
      await settle();
      expect(runs).toEqual([[1]]);
      await jest.advanceTimersByTimeAsync(50);
      await settle();
      expect(runs).toEqual([[1], [2]]);
      all.push(batcher.do(3));
      end();
      await settle();
      // The end of the first run must not free a slot a second time.
      expect(runs).toEqual([[1], [2]]);
      await jest.advanceTimersByTimeAsync(50);
      await settle();
      expect(runs).toEqual([[1], [2], [3]]);
      all.push(batcher.do(4));
      await jest.advanceTimersByTimeAsync(50);
      await settle();
      // One run that takes long is under way already.
      expect(runs).toEqual([[1], [2], [3]]);
      end();
      await settle();
      end();
      await settle();
      end();
      expect(await Promise.all(all)).toEqual([2, 4, 6, 8]);
      expect(runs).toEqual([[1], [2], [3], [4]]);
    } finally {
      jest.useRealTimers();
    }
  });
});

describe('BatchQueues', () => {
  it('keep slots separate', async () => {
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
