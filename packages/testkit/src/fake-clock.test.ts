import { describe, expect, it } from '@jest/globals';
import { FakeClock } from './wait-for.js';

describe('FakeClock', () => {
  it.each([[1_000], [new Date(1_000)]])('keeps its time until a test changes it', (start) => {
    const clock = new FakeClock(start);
    expect(clock.now()).toBe(1_000);

    clock.advance(500);
    expect(clock.now()).toBe(1_500);
    clock.advance(-1_500);
    expect(clock.now()).toBe(0);
  });
});
