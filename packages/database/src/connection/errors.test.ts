import { describe, expect, it } from '@jest/globals';
import { errorCode, isDatabaseUnavailable, isSchemaMissing, violatedConstraint } from './errors.js';

// The failures themselves are produced in test/unavailable.test.ts; this file covers the forms that they can have.

function withCode(code: unknown): Error {
  return Object.assign(new Error('failed'), { code });
}

describe('isDatabaseUnavailable', () => {
  it.each(['ECONNREFUSED', 'ECONNRESET', 'ENOTFOUND', 'EAI_AGAIN', 'EPIPE', 'ETIMEDOUT'])(
    'is true for the system error %s',
    (code) => {
      expect(isDatabaseUnavailable(withCode(code))).toBe(true);
    },
  );

  it.each(['08006', '53100', '53200', '53300', '57014', '57P01', '57P02', '57P03', '25006'])(
    'PostgreSQL appendix A: is true for SQLSTATE %s',
    (code) => {
      expect(isDatabaseUnavailable(withCode(code))).toBe(true);
    },
  );

  it.each(['23505', '25P02', '28P01', '3D000', '40001', '40P01', '42501', '42P01', 'XX000'])(
    'PostgreSQL appendix A: is false for SQLSTATE %s',
    (code) => {
      expect(isDatabaseUnavailable(withCode(code))).toBe(false);
    },
  );

  it('is true if each address of a name failed', () => {
    const refused = new AggregateError([withCode('ECONNREFUSED'), withCode('ENETUNREACH')]);

    expect(isDatabaseUnavailable(refused)).toBe(true);
    expect(isDatabaseUnavailable(new AggregateError([new Error('other')]))).toBe(false);
  });

  it('is true for a client that has already lost its connection', () => {
    expect(
      isDatabaseUnavailable(
        new Error('Client has encountered a connection error and is not queryable'),
      ),
    ).toBe(true);
  });

  it.each([
    ['an error of our own', new TypeError('x')],
    ['no error', undefined],
    ['a text', 'x'],
  ])('is false for %s', (_, error) => {
    expect(isDatabaseUnavailable(error)).toBe(false);
  });
});

describe('isSchemaMissing', () => {
  it.each([
    ['42P01', true],
    ['3F000', true],
    ['42703', false],
    ['53100', false],
  ])('PostgreSQL appendix A: SQLSTATE %s: %s', (code, expected) => {
    expect(isSchemaMissing(withCode(code))).toBe(expected);
  });
});

describe('errorCode and violatedConstraint', () => {
  it("return the error's value if it is a text", () => {
    const error = Object.assign(withCode('23505'), { constraint: 'users_name_unique' });

    expect(errorCode(error)).toBe('23505');
    expect(violatedConstraint(error)).toBe('users_name_unique');
    expect(errorCode(withCode(42))).toBeUndefined();
    expect(errorCode(null)).toBeUndefined();
    expect(violatedConstraint(undefined)).toBeUndefined();
  });
});
