import { describe, expect, it } from '@jest/globals';
import { explainSqlstate } from './check-writes.js';

describe('why PostgreSQL refuses changes', () => {
  it.each([
    ['53100', 'its disk is full'],
    ['25006', 'it does not accept changes'],
    ['57014', 'a small change did not finish in time'],
    ['XX000', 'it failed'],
    [undefined, 'it failed'],
  ])('SQLSTATE %s: %s', (code, fault) => {
    expect(explainSqlstate(code).fault).toBe(fault);
  });
});
