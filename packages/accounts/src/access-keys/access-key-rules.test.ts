import { describe, expect, it } from '@jest/globals';
import {
  completeValidity,
  isImportable,
  isSoundValidity,
  parseDate,
  withMicroseconds,
} from './access-key-rules.js';

describe('completeValidity', () => {
  it('D-ACC-27: validFrom defaults to now without fractions of a second, validTo to 3650 days later', () => {
    expect(completeValidity({}, new Date('2030-01-31T12:00:00.999Z'))).toEqual({
      validFrom: new Date('2030-01-31T12:00:00Z'),
      validTo: new Date('2040-01-29T12:00:00Z'),
    });
  });

  it('D-ACC-27: validTo must lie after validFrom', () => {
    const validFrom = new Date('2030-01-31T12:00:00Z');
    expect(isSoundValidity({ validFrom, validTo: validFrom })).toBe(false);
  });
});

describe('isImportable', () => {
  it.each([
    ['', false],
    ['x', true],
    ['😀'.repeat(999), true],
    ['x'.repeat(1000), false],
  ])('Identity s4, Import: accepts 1 to 999 characters', (text, expected) => {
    expect(isImportable(text)).toBe(expected);
  });
});

describe('parseDate', () => {
  it.each([
    ['2026-11-21T01:02:03', '2026-11-21T01:02:03.000Z'],
    ['2026-11-21T01:02:03.5', '2026-11-21T01:02:03.500Z'],
    ['2026-11-21T01:02:03Z', '2026-11-21T01:02:03.000Z'],
    ['2026-11-21t01:02:03z', '2026-11-21T01:02:03.000Z'],
    ['2026-11-21T01:02:03-08:00', '2026-11-21T09:02:03.000Z'],
    ['2024-02-29T00:00:00', '2024-02-29T00:00:00.000Z'],
    [0, '1970-01-01T00:00:00.000Z'],
    [1795222923123, '2026-11-21T01:02:03.123Z'],
    ['1795222923123', '2026-11-21T01:02:03.123Z'],
  ])('D-ACC: reads %j', (value, expected) => {
    expect(parseDate(value)?.toISOString()).toBe(expected);
  });

  it.each([
    ['2026-11-21T01:02:03', '2026-11-21T01:02:03.000000'],
    ['2026-11-21T01:02:03.1234', '2026-11-21T01:02:03.123400'],
    ['2026-11-21T01:02:03.123999999-08:00', '2026-11-21T09:02:03.123999'],
    [1795222923123, '2026-11-21T01:02:03.123000'],
  ])('D-ACC: keeps the microseconds of %j', (value, expected) => {
    expect(withMicroseconds(parseDate(value)!, value)).toBe(expected);
  });

  it.each([
    '',
    'now',
    '2026-11-21',
    '2026-11-21 01:02:03',
    '2026-11-21T01:02',
    '2026-02-29T00:00:00',
    '2026-13-01T00:00:00',
    '2026-11-21T25:00:00',
    '2026-11-21T01:02:03+0100',
    -1,
    1.5,
    Number.MAX_SAFE_INTEGER,
    true,
    null,
    {},
  ])('D-ACC: refuses %j', (value) => {
    expect(parseDate(value)).toBeUndefined();
  });
});
