import { expect, it } from '@jest/globals';
import { waitFor } from '@zonewright/testkit';
import { SupervisedProcess } from '../src/embedded/keep-running.js';

it('a process that ends during its restart is restarted once more, not twice at once', async () => {
  const attempts: (() => void)[] = [];
  const notes: string[] = [];
  const kept = await SupervisedProcess.start({
    name: 'a part',
    start: (onUnexpectedExit) => {
      attempts.push(onUnexpectedExit);
      if (attempts.length !== 2) return Promise.resolve({ stop: () => Promise.resolve() });
      onUnexpectedExit();
      return Promise.reject(new Error('it ended'));
    },
    onNote: (note) => notes.push(note),
  });
  attempts[0]?.();
  await waitFor(() => notes.includes('a part is running again.'));
  expect(attempts).toHaveLength(3);
  // A second series of attempts would have started with another note.
  expect(notes.filter((note) => note.includes('exited unexpectedly'))).toHaveLength(1);
  await kept.stop();
});
