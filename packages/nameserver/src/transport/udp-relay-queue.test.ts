import { describe, expect, it } from '@jest/globals';
import { RelayQueue } from './udp-relay-queue.js';

describe('RelayQueue', () => {
  it('has room for so many that the main thread has not seen, whatever more come', () => {
    const memory = RelayQueue.create();
    const ofWorker = new RelayQueue(memory);
    const ofMainThread = new RelayQueue(memory);
    const entered = Array.from({ length: 1_000 }, () => ofWorker.enter());
    expect(entered.filter(Boolean)).toHaveLength(256);
    expect(entered.lastIndexOf(true)).toBe(255);
    ofMainThread.leave();
    expect([ofWorker.enter(), ofWorker.enter()]).toEqual([true, false]);
  });
});
