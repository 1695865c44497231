import { describe, expect, it } from '@jest/globals';
import { waitFor } from './wait-for.js';

describe('waitFor', () => {
  it('returns the value of the condition when it is neither undefined nor false', async () => {
    const values = [undefined, false, 0];

    expect(await waitFor(() => values.shift() as undefined | false | 0)).toBe(0);
    expect(values).toEqual([]);
  });

  it('treats a failing condition as one that does not hold yet', async () => {
    let attempts = 0;
    const value = await waitFor(() => {
      if (++attempts < 3) throw new Error('not yet');
      return Promise.resolve('here');
    });

    expect(value).toBe('here');
  });

  it('fails at the deadline, with the last failure of the condition as the cause', async () => {
    const failure = new Error('never');

    await expect(waitFor(() => Promise.reject(failure), 30)).rejects.toMatchObject({
      message: expect.stringMatching(
        /^The condition did not hold within (30|120) ms\.$/,
      ) as unknown,
      cause: failure,
    });
  });
});
