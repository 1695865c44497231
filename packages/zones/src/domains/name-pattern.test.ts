import { describe, expect, it } from '@jest/globals';
import { MAX_STATES, NamePattern } from './name-pattern.js';
import { PatternSyntaxError } from './pattern-syntax.js';

const NAMES = [
  '',
  'a',
  'b',
  'ab',
  'aab',
  'example.com.',
  'www.example.com.',
  'xn--p1ai.',
  'a-b.c.',
];

describe('NamePattern', () => {
  it.each([
    '^([A-Za-z0-9_\\-]+\\.)*example\\.com\\.$',
    'example',
    '^a*b$',
    '^(?:a|b)+$',
    '^a{2}b?$',
    '^a{1,2}b{0,1}$',
    '[^a-z.]',
    '^[a-c-]+\\.',
    '^.{2,4}$',
    '^\\w+(\\.\\w+)*\\.$',
    'XN--',
    '^$',
    '(a|b|)c',
    '\\d',
    '[]a]b',
    '^(a+)+$',
    '^(a?){3}b$',
    'a||b',
  ])('finds %s in the same names as the engine of JavaScript', (text) => {
    // In JavaScript a class may be empty; elsewhere its first "]" is one of its characters.
    const expression = new RegExp(text.replace('[]a]', '[\\]a]'), 'i');
    const pattern = NamePattern.compile(text);
    expect(NAMES.filter((name) => pattern.isIn(name))).toEqual(
      NAMES.filter((name) => expression.test(name)),
    );
  });

  it('agrees with the engine of JavaScript on random patterns', () => {
    let seed = 20_261_122;
    const random = (below: number) => {
      seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
      return Math.floor((seed / 2 ** 31) * below);
    };
    const PARTS = [
      'a',
      'b',
      '.',
      '[ab]',
      '[^a]',
      '(a|b)',
      '(?:ab)?',
      'a*',
      '(b|a.)+',
      'c{0,2}',
      '^',
      '$',
    ];
    const draw = (length: number, from: readonly string[]) =>
      Array.from({ length }, () => from[random(from.length)]).join('');
    for (let round = 0; round < 2_000; round += 1) {
      const text = draw(1 + random(6), PARTS);
      const name = draw(random(8), ['a', 'b', 'c']);
      expect([text, name, NamePattern.compile(text).isIn(name)]).toEqual([
        text,
        name,
        new RegExp(text, 'i').test(name),
      ]);
    }
  });

  it.each([
    ['', 'is empty'],
    ['('.repeat(300), 'more than 255 characters'],
    ['(a', '"(" without ")"'],
    ['a)', '")" without "("'],
    ['[a', '"[" without "]"'],
    ['[z-a]', 'ends before it begins'],
    ['[a-\\d]', 'from or to a class'],
    ['*a', 'without anything before it to repeat'],
    ['a{3,2}', 'm up to n'],
    ['a{1,256}', 'n up to 255'],
    ['a{b}', '{m,n}'],
    ['(?=a)', '(?:...)'],
    ['(a)\\1', '"\\1"'],
    ['\\bfoo', '"\\b"'],
    ['a\\', 'ends with "\\"'],
    ['ü', 'A-labels'],
    ['(a{1,255}){1,255}', 'repeats too much'],
    ['((){255}){255}', 'repeats too much'],
  ])('refuses %s with a reason', (text, why) => {
    expect(() => NamePattern.compile(text)).toThrow(PatternSyntaxError);
    expect(() => NamePattern.compile(text)).toThrow(why);
  });

  it.each([
    ['^(a+)+$', false],
    ['^(a|a)*$', false],
    ['^(a*)*b$', false],
    ['^(a?){60}a{60}$', false],
    ['(.*a){12}', true],
    ['^(([a-z])+.)+[A-Z]([a-z])+$', false],
  ])('is not delayed by %s, which takes others exponential time', (text, expected) => {
    const pattern = NamePattern.compile(text);
    expect(pattern.stateCount).toBeLessThanOrEqual(MAX_STATES + 1);
    expect(pattern.isIn(`${'a'.repeat(254)}!`)).toBe(expected);
  });
});
