import { describe, expect, it } from '@jest/globals';
import { UpdateQueue } from './udp-update-queue.js';

describe('UpdateQueue', () => {
  it('has room for so many that the main thread has not seen, whatever more come', () => {
    const memory = UpdateQueue.create();
    const ofWorker = new UpdateQueue(memory);
    const ofMainThread = new UpdateQueue(memory);
    const entered = Array.from({ length: 1_000 }, () => ofWorker.enter());
    expect(entered.filter(Boolean)).toHaveLength(256);
    expect(entered.lastIndexOf(true)).toBe(255);
    ofMainThread.leave();
    expect([ofWorker.enter(), ofWorker.enter()]).toEqual([true, false]);
  });
});
