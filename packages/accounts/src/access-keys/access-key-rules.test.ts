import { describe, expect, it } from '@jest/globals';
import { completeValidity, isImportable, isSoundValidity } from './access-key-rules.js';

describe('completeValidity', () => {
  it('decisions 2: validFrom is now cut to the second, validTo 3650 days later', () => {
    expect(completeValidity({}, new Date('2030-01-31T12:00:00.999Z'))).toEqual({
      validFrom: new Date('2030-01-31T12:00:00Z'),
      validTo: new Date('2040-01-29T12:00:00Z'),
    });
  });

  it('decisions 2: validTo must lie after validFrom', () => {
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
  ])('Identity s4, Import: 1 to 999 characters', (text, expected) => {
    expect(isImportable(text)).toBe(expected);
  });
});
