import { describe, expect, it } from '@jest/globals';
import { chooseValidity, parseDate } from './validity.js';

describe('chooseValidity', () => {
  it('decisions 2: validFrom is now cut to the second, validTo 3650 days later', () => {
    expect(chooseValidity({}, Date.parse('2030-01-31T12:00:00.999Z'))).toEqual({
      validFrom: new Date('2030-01-31T12:00:00Z'),
      validTo: new Date('2040-01-29T12:00:00Z'),
    });
  });

  it('decisions 2: validTo must lie after validFrom', () => {
    const validFrom = new Date('2030-01-31T12:00:00Z');
    expect(() => chooseValidity({ validFrom, validTo: validFrom }, 0)).toThrow(/after/);
  });
});

describe('parseDate', () => {
  it.each([
    ['2030-01-31T12:00:00', '2030-01-31T12:00:00.000Z'],
    ['2030-01-31T12:00:00Z', '2030-01-31T12:00:00.000Z'],
    ['2030-01-31T12:00:00.5+02:00', '2030-01-31T10:00:00.500Z'],
  ])('decisions 2: %s is %s', (text, expected) => {
    expect(parseDate(text).toISOString()).toBe(expected);
  });

  it.each(['', '2030-01-31', '2030-13-01T00:00:00', 'now', '2030-01-31T12:00:00+2'])(
    'refuses "%s"',
    (text) => {
      expect(() => parseDate(text)).toThrow(/is no date/);
    },
  );
});
