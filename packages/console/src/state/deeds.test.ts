import { describe, expect, it } from '@jest/globals';
import { performEach, revertEach } from './deeds.js';

const error = new Error('refused');
const fail = () => Promise.reject(error);
const give = (serial?: number) => () => Promise.resolve(serial);

describe('performEach', () => {
  it('returns the serials in the order of the undo, without those of steps that changed nothing', async () => {
    const steps = [give(1), give(), give(3)];
    expect(await performEach(steps)).toEqual({ deed: [3, 1], done: 3, failure: undefined });
    expect(await performEach([])).toEqual({ deed: [], done: 0, failure: undefined });
  });

  it('ends at the first step that fails, and returns what was done before it', async () => {
    const seen: string[] = [];
    const later = () => Promise.resolve(seen.push('later'));
    const steps = [give(1), give(2), fail, later];
    expect(await performEach(steps)).toEqual({ deed: [2, 1], done: 2, failure: { error } });
    expect(seen).toEqual([]);
  });
});

describe('revertEach', () => {
  it('undoes the last change first, and returns an action that undoes the undo', async () => {
    const seen: number[] = [];
    const revert = (serial: number) => {
      seen.push(serial);
      return Promise.resolve(10 + seen.length);
    };
    expect(await revertEach([3, 2, 1], revert)).toEqual({
      ...{ undone: [13, 12, 11], left: [], failure: undefined },
    });
    expect(seen).toEqual([3, 2, 1]);
  });

  it('leaves the changes that were not undone to a retry', async () => {
    let isBroken = true;
    const revert = (serial: number) => {
      return serial === 2 && isBroken ? fail() : Promise.resolve(serial + 10);
    };
    const first = await revertEach([3, 2, 1], revert);
    expect(first).toEqual({ undone: [13], left: [2, 1], failure: { error } });
    isBroken = false;
    expect(await revertEach(first.left, revert)).toMatchObject({ undone: [11, 12], left: [] });
  });
});
