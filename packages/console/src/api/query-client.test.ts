import { describe, expect, it } from '@jest/globals';
import { QueryObserver } from '@tanstack/react-query';
import { refetch, queryClient } from './query-client.js';

const queryKey = ['p', 'a', 'domains'];

describe('repeated queries', () => {
  it('keeps the result of a write even if the first response was sent before it', async () => {
    const answers: ((names: readonly string[]) => void)[] = [];
    const ask = () =>
      new Promise<readonly string[]>((resolve) => {
        answers.push(resolve);
      });
    const shown = new QueryObserver(queryClient, { queryKey, queryFn: ask });
    const leave = shown.subscribe(() => undefined);
    expect(answers).toHaveLength(1);

    const done = Promise.all([refetch(queryKey), refetch(queryKey)]);
    answers[0]!([]);
    while (answers.length < 2) await new Promise((resolve) => setTimeout(resolve));
    answers[1]!(['back.example.']);
    await done;
    expect(shown.getCurrentResult().data).toEqual(['back.example.']);
    // The message arrived once for both.
    expect(answers).toHaveLength(2);
    leave();
  });
});
