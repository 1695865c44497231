import { describe, expect, it } from '@jest/globals';
import { chooseId, isId, isName, nameCondition, parseDescription, parseName } from './names.js';

describe('ids (D-ID)', () => {
  it.each([
    ['a', true],
    ['x'.repeat(64), true],
    ['ä/.:_', true],
    ['', false],
    ['x'.repeat(65), false],
    ['a b', false],
    ['a\u0000', false],
    ['a\n', false],
  ])('%j', (text, expected) => {
    expect(isId(text)).toBe(expected);
    if (expected) expect(chooseId(text)).toBe(text);
    else expect(() => chooseId(text)).toThrow('an id must have 1 to 64 characters without blanks');
  });

  it('a new id has 32 random hexadecimal digits', () => {
    const id = chooseId(undefined);
    expect(id).toMatch(/^[0-9a-f]{32}$/);
    expect(chooseId(undefined)).not.toBe(id);
  });
});

describe('names', () => {
  it.each([
    ['alice', undefined],
    ['Ada Lovelace', undefined],
    ['x'.repeat(320), undefined],
    ['x'.repeat(321), 'must have at most 320 characters'],
    ['', 'must not be empty'],
    [' alice', 'begin or end with a blank'],
    ['alice ', 'begin or end with a blank'],
    ['al\tice', 'control characters'],
  ])('%j: %s', (text, problem) => {
    expect(isName(text)).toBe(problem === undefined);
    const parse = () => parseName('the name', text);
    if (problem === undefined) expect(parse()).toBe(text);
    else expect(parse).toThrow(problem);
  });
});

describe('descriptions', () => {
  it.each([[null], [''], ['x'.repeat(1_000)]])('%j may be stored', (text) => {
    expect(parseDescription(text)).toBe(text);
  });

  it('1,001 characters are refused', () => {
    expect(() => parseDescription('x'.repeat(1_001))).toThrow('at most 1000 characters');
  });
});

describe('nameCondition', () => {
  it.each([
    [{ name: undefined, like: [], ilike: [] }, '', []],
    [{ name: 'a', like: [], ilike: [] }, ' and u.name = ?', ['a']],
    [
      { name: undefined, like: ['a%', '%b'], ilike: ['%c%'] },
      ' and u.name like ? and u.name like ? and u.name ilike ?',
      ['a%', '%b', '%c%'],
    ],
  ])('%j', (filter, sql, bindings) => {
    expect(nameCondition('u.name', filter)).toEqual({ sql, bindings });
  });
});
