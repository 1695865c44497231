import { describe, expect, it } from '@jest/globals';
import { doWithEach, rowsBetween } from './lists.js';

const ITEMS = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10];

/** Returns work items that end on request, and records the order in which they began. */
function heldWork() {
  const begun: number[] = [];
  const ends: (() => void)[] = [];
  const work = (item: number) => {
    begun.push(item);
    return new Promise<void>((resolve) => ends.push(resolve));
  };
  return { begun, ends, work };
}

const turn = () => new Promise((resolve) => setTimeout(resolve, 0));

describe('doWithEach', () => {
  it('processes each item once, and reports the number of completed ones', async () => {
    const seen: number[] = [];
    const progress: number[] = [];
    const { done, failure } = await doWithEach(
      ITEMS,
      (item) => {
        seen.push(item);
        return Promise.resolve();
      },
      { onProgress: (number) => progress.push(number) },
    );
    expect(seen).toEqual(ITEMS);
    expect(done).toEqual(ITEMS);
    expect(progress).toEqual(ITEMS);
    expect(failure).toBeUndefined();
  });

  it('processes four items at a time', async () => {
    const { begun, ends, work } = heldWork();
    const all = doWithEach(ITEMS, work);
    await turn();
    expect(begun).toEqual([1, 2, 3, 4]);
    ends[2]!();
    await turn();
    expect(begun).toEqual([1, 2, 3, 4, 5]);
    for (let at = 0; at < ITEMS.length; at += 1) {
      ends[at]!();
      await turn();
    }
    expect((await all).done).toHaveLength(10);
  });

  it('names the failed item, starts no more, and completes the started ones', async () => {
    const error = new Error('of the second');
    const { begun, ends, work } = heldWork();
    const all = doWithEach(ITEMS, (item) => {
      const held = work(item);
      return item === 2 || item === 4 ? held.then(() => Promise.reject(error)) : held;
    });
    await turn();
    ends[1]!();
    await turn();
    for (const end of ends) end();
    expect(await all).toEqual({ done: [1, 3], failure: { item: 2, error } });
    expect(begun).toEqual([1, 2, 3, 4]);
  });

  it('starts no items after the user has left', async () => {
    const { begun, ends, work } = heldWork();
    const leaving = new AbortController();
    const all = doWithEach(ITEMS, work, { signal: leaving.signal });
    await turn();
    leaving.abort();
    for (const end of ends) end();
    expect(await all).toEqual({ done: [1, 2, 3, 4], failure: undefined });
    expect(begun).toEqual([1, 2, 3, 4]);
  });

  it('does nothing for an empty list', async () => {
    const { work } = heldWork();
    expect(await doWithEach([], work)).toEqual({ done: [], failure: undefined });
  });
});

describe('rowsBetween', () => {
  it.each([
    [1, 3],
    [3, 1],
  ])('selects both rows and those between: %i and %i', (one, other) => {
    expect(rowsBetween(ITEMS, one, other)).toEqual([2, 3, 4]);
  });

  it('selects one row if both are the same', () => {
    expect(rowsBetween(ITEMS, 0, 0)).toEqual([1]);
  });
});
