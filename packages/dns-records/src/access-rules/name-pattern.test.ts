import { describe, expect, it } from '@jest/globals';
import { matchesNamePattern, namePatternExpression, readNamePattern } from './name-pattern.js';

/** PATTERN_PAIRS=1000000 tests 10^6 pairs, which takes half a minute. */
const PAIRS = Number(process.env['PATTERN_PAIRS'] ?? 20_000);

const ZONE = 'example.com.';

describe('readNamePattern', () => {
  it.each([
    ['@', '@'],
    ['**', '**'],
    ['WWW', 'www'],
    ['_acme-challenge.**', '_acme-challenge.**'],
    ['*.bücher', '*.xn--bcher-kva'],
    ['*.0/25', '*.0/25'],
    ['-a+b', '-a+b'],
  ])('returns the normal form of %j', (text, pattern) => {
    expect(readNamePattern(text)).toEqual({ pattern });
  });

  it.each([
    '',
    'www.',
    'a..b',
    '***',
    '**.a.**',
    'a*',
    'a b',
    String.raw`a\.b`,
    'a@b',
    'cname-*',
    'x'.repeat(64),
    `${'a.'.repeat(127)}a`,
    `${'*.'.repeat(127)}*`,
    'y'.repeat(2_000),
  ])('refuses %j', (text) => {
    expect(readNamePattern(text)).toHaveProperty('fault');
  });
});

describe('matchesNamePattern', () => {
  it.each([
    ['_acme-challenge.**', '_acme-challenge.example.com.', true],
    ['_acme-challenge.**', '_acme-challenge.www.example.com.', true],
    ['_acme-challenge.**', 'www.example.com.', false],
    ['_acme-challenge.**', '_acme-challenge.example.org.', false],
    ['_acme-challenge', '_acme-challenge.www.example.com.', false],
    ['@', 'example.com.', true],
    ['@', 'www.example.com.', false],
    ['*.0/25', '5.0/25.example.com.', true],
    ['a+b', 'a+b.example.com.', true],
    ['a+b', 'aab.example.com.', false],
    ['*', 'www.example.com.', true],
    ['*', 'a.b.example.com.', false],
    ['*', 'example.com.', false],
    ['**', 'example.com.', true],
    ['**', '*.example.com.', true],
    ['**', String.raw`a\.b.example.com.`, true],
    ['*', String.raw`a\.b.example.com.`, true],
    ['*.*', String.raw`a\.b.example.com.`, false],
    ['**', 'anexample.com.', false],
    ['**', String.raw`a\.example.com.`, false],
  ])('%j, %j: %s', (pattern, name, expected) => {
    expect(matchesNamePattern(pattern, name, ZONE)).toBe(expected);
    expect(asExpression(pattern, name)).toBe(expected);
  });

  it('matches names below a wildcard only with "**", because they have more than one label', () => {
    expect(matchesNamePattern('*', '*.example.com.', ZONE)).toBe(false);
    expect(asExpression('*', '*.example.com.')).toBe(false);
  });

  it(`agrees with a naive matcher, and so does the expression, for ${PAIRS} random pairs`, () => {
    const random = generator(20_261_122);
    let matches = 0;
    for (let pair = 0; pair < PAIRS; pair += 1) {
      const pattern = withOneMany(someLabels(random, ['*', '**', '**', 'a', 'b']));
      const labels = someLabels(random, ['a', 'b', 'c', '*', String.raw`a\.b`, String.raw`\\`]);
      const text = pattern.join('.') || '@';
      const name = [...labels, ZONE].join('.');
      const expected = naive(pattern, labels);
      const found = matchesNamePattern(text, name, ZONE);
      if (found !== expected || asExpression(text, name) !== expected) {
        throw new Error(`${text} and ${name}: ${expected}, but ${found}`);
      }
      matches += expected ? 1 : 0;
    }
    // Matches must be neither rare nor nearly certain, or the test would show nothing.
    expect(matches / PAIRS).toBeGreaterThan(0.1);
    expect(matches / PAIRS).toBeLessThan(0.9);
  });
});

/** Removes every "**" except the first. */
function withOneMany(labels: readonly string[]): string[] {
  return labels.filter((label, at) => label !== '**' || labels.indexOf('**') === at);
}

function asExpression(pattern: string, name: string): boolean {
  return new RegExp(`^(?:${namePatternExpression(pattern, ZONE)})$`).test(name);
}

/** Follows the definition literally. */
function naive(pattern: readonly string[], labels: readonly string[]): boolean {
  const [first, ...rest] = pattern;
  if (first === undefined) return labels.length === 0;
  if (first === '**') {
    return naive(rest, labels) || (labels.length > 0 && naive(pattern, labels.slice(1)));
  }
  const [label, ...others] = labels;
  if (label === undefined) return false;
  return (first === '*' ? label !== '*' : first === label) && naive(rest, others);
}

function someLabels(random: () => number, alphabet: readonly string[]): string[] {
  const length = Math.floor(random() * 6);
  return Array.from({ length }, () => alphabet[Math.floor(random() * alphabet.length)] ?? '');
}

/** A random generator (mulberry32) that gives the same pairs in each run. */
function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
