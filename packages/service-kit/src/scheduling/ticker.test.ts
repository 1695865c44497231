import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Ticker } from './clock.js';

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

describe('Ticker', () => {
  it('runs as long as there is work, and starts again with new work', async () => {
    let left = 2;
    let looks = 0;
    const ticker = new Ticker(50, () => {
      looks += 1;
      left -= 1;
      return left > 0;
    });
    await jest.advanceTimersByTimeAsync(1_000);
    expect(looks).toBe(0);
    expect([ticker.begin(), ticker.begin()]).toEqual([true, false]);
    await jest.advanceTimersByTimeAsync(99);
    expect(looks).toBe(1);
    await jest.advanceTimersByTimeAsync(1_000);
    expect(looks).toBe(2);
    left = 1;
    expect(ticker.begin()).toBe(true);
    await jest.advanceTimersByTimeAsync(1_000);
    expect(looks).toBe(3);
  });
});
