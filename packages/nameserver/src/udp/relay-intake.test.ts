import { describe, expect, it } from '@jest/globals';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { RelayIntake } from './relay-intake.js';

describe('RelayIntake', () => {
  it('takes each message once, and a message of each network before the second of one', async () => {
    const taken: string[] = [];
    const intake = new RelayIntake<string>((message) => taken.push(message));
    for (let n = 0; n < 3; n += 1) intake.add('flood', `flood ${n}`);
    intake.add('other', 'other');
    expect(taken).toEqual([]);
    while (taken.length < 4) await nextTurn();
    expect(taken).toEqual(['flood 0', 'other', 'flood 1', 'flood 2']);
    intake.add('flood', 'later');
    await nextTurn();
    expect(taken.at(-1)).toBe('later');
  });

  it('lets other work run after a few milliseconds', async () => {
    let taken = 0;
    const intake = new RelayIntake(() => {
      taken += 1;
      const end = performance.now() + 1;
      while (performance.now() < end);
    });
    for (let n = 0; n < 20; n += 1) intake.add(`${n}`, n);
    const seen: number[] = [];
    while (taken < 20) {
      await nextTurn();
      seen.push(taken);
    }
    // A turn takes two of these messages, or one if the machine is busy.
    expect(seen.length).toBeGreaterThanOrEqual(10);
  });
});
