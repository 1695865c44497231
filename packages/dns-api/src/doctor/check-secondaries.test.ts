import { describe, expect, it } from '@jest/globals';
import { whatIsAnswered } from './check-secondaries.js';

const AT = '2026-01-02T03:04:05.000000';

describe('whatIsAnswered', () => {
  it('tells a stale zone from one that has expired and one that never came', () => {
    const confirmed = { transferredAt: AT, refreshedAt: AT };
    expect(whatIsAnswered({ state: 'answered', ...confirmed })).toContain(`as it was at ${AT}`);
    expect(whatIsAnswered({ state: 'withheld', ...confirmed })).toContain('it has expired');
    const never = { transferredAt: null, refreshedAt: null };
    expect(whatIsAnswered({ state: 'withheld', ...never })).toContain('nothing of it has come yet');
  });
});
