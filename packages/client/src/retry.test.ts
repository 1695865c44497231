import { describe, expect, it } from '@jest/globals';
import { pauseBeforeRetry } from './transport.js';

const attempt = { isRepeatable: true, count: 1, random: 1 };
const answered = (status: number, retryAfterMs?: number) => ({
  ...attempt,
  failure: { status, retryAfterMs },
});

describe('pauseBeforeRetry', () => {
  it.each([400, 401, 403, 404, 409, 412, 413, 500])('%i is final', (status) => {
    expect(pauseBeforeRetry(answered(status))).toBeUndefined();
  });

  it.each([502, 503, 504])('%i is retried if a repetition changes nothing more', (status) => {
    expect(pauseBeforeRetry(answered(status))).toBe(100);
    expect(pauseBeforeRetry({ ...answered(status), isRepeatable: false })).toBeUndefined();
  });

  it('a missing response is retried in the same way', () => {
    const failure = { status: undefined };
    expect(pauseBeforeRetry({ ...attempt, failure })).toBe(100);
    expect(pauseBeforeRetry({ ...attempt, failure, isRepeatable: false })).toBeUndefined();
  });

  it('429 means that nothing was done, so every request is retried', () => {
    expect(pauseBeforeRetry({ ...answered(429, 2_000), isRepeatable: false })).toBe(2_000);
  });

  it('RFC 9110 s10.2.3: does not retry before Retry-After', () => {
    expect(pauseBeforeRetry(answered(503, 7_000))).toBe(7_000);
  });

  it('waits longer each time, by at least half as much, up to a limit', () => {
    const failure = { status: undefined };
    expect(pauseBeforeRetry({ ...attempt, failure, count: 5 })).toBe(1_600);
    expect(pauseBeforeRetry({ ...attempt, failure, count: 5, random: 0 })).toBe(800);
    expect(pauseBeforeRetry({ ...attempt, failure, count: 10 })).toBeUndefined();
  });
});
