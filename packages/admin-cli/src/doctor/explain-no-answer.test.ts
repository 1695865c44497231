import { describe, expect, it } from '@jest/globals';
import { explainNoAnswer } from './ask-nameserver.js';

describe('what doctor says of a nameserver without an answer', () => {
  it.each([
    ['ETIMEOUT', true],
    [undefined, true],
    ['EREFUSED', false],
    ['ESERVFAIL', false],
    ['ENOTFOUND', false],
    ['ECONNREFUSED', false],
  ])('%s: recommends to check firewalls: %s', (code, expected) => {
    expect(explainNoAnswer(code).includes('firewalls')).toBe(expected);
  });
});
