import { describe, expect, it } from '@jest/globals';
import { getHeapStatistics } from 'node:v8';
import { giveBackMemory } from './libc.js';

const ROWS = 300_000;

const linux = process.platform === 'linux' ? describe : describe.skip;

linux('giveBackMemory', () => {
  it('leaves no garbage and returns its memory', async () => {
    await giveBackMemory();
    const before = getHeapStatistics();
    const rows = new WeakRef(Array.from({ length: ROWS }, (_, row) => ({ name: `h${row}` })));
    const after = getHeapStatistics();
    expect(after.total_physical_size).toBeGreaterThan(before.total_physical_size);
    await giveBackMemory();
    const last = getHeapStatistics();
    expect(rows.deref()).toBeUndefined();
    expect(last.total_physical_size - before.total_physical_size).toBeLessThan(
      (after.total_physical_size - before.total_physical_size) / 4,
    );
  });
});
