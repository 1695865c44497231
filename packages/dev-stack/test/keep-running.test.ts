import { expect, it } from '@jest/globals';
import { waitFor } from '@zonewright/testkit';
import { setTimeout as delay } from 'node:timers/promises';
import { KeptRunning } from '../src/embedded/keep-running.js';

it('what ends while it is being started again is started once more, not twice at once', async () => {
  const attempts: (() => void)[] = [];
  const kept = await KeptRunning.start({
    name: 'a part',
    start: (onUnexpectedExit) => {
      attempts.push(onUnexpectedExit);
      if (attempts.length !== 2) return Promise.resolve({ stop: () => Promise.resolve() });
      onUnexpectedExit();
      return Promise.reject(new Error('it ended'));
    },
    onNote: () => undefined,
  });
  attempts[0]?.();
  await waitFor(() => attempts.length > 2, 10_000);
  // A second row of attempts would have begun in the same moment.
  await delay(100);
  expect(attempts).toHaveLength(3);
  await kept.stop();
});
