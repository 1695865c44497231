import { describe, expect, it } from '@jest/globals';
import { whatIsAnswered } from './check-secondaries.js';

const AT = '2026-01-02T03:04:05.000000';

describe('whatIsAnswered', () => {
  it('distinguishes a stale zone, an expired one, and one that was never transferred', () => {
    const stale = { problem: 'x', reason: null, transferredAt: AT, refreshedAt: AT };
    expect(whatIsAnswered({ state: 'answered', ...stale })).toContain(
      'the version of 2026-01-02 03:04 UTC is published',
    );
    expect(whatIsAnswered({ state: 'withheld', ...stale })).toContain('it has expired');
    const never = { ...stale, transferredAt: null, refreshedAt: null };
    expect(whatIsAnswered({ state: 'withheld', ...never })).toContain(
      'no version was received yet',
    );
  });
});
