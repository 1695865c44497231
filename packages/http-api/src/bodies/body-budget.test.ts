import { describe, expect, it } from '@jest/globals';
import { Overload } from '@zonewright/service-kit';
import { BodyBudget } from './read-body.js';

describe('BodyBudget', () => {
  it('one owner leaves memory for others, and releases it when its bodies are read', async () => {
    const budget = new BodyBudget(100);
    let end: () => void = () => undefined;
    const slow = budget.count('a', async (take) => {
      take(50);
      await new Promise<void>((resolve) => {
        end = resolve;
      });
    });
    const takeOne = (owner: string) =>
      budget.count(owner, (take) => {
        take(10);
        return Promise.resolve('read');
      });
    await expect(takeOne('a')).rejects.toBeInstanceOf(Overload);
    expect(await takeOne('b')).toBe('read');
    end();
    await slow;
    expect(await takeOne('a')).toBe('read');
  });
});
