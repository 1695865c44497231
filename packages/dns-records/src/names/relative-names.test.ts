import { describe, expect, it } from '@jest/globals';
import { isAbsolute, isAtOrBelow, toAbsoluteName, toRelativeName } from './owner-names.js';

describe('relative names', () => {
  it.each([
    ['a.', true],
    ['.', true],
    ['a', false],
    ['', false],
    [String.raw`a\.`, false],
    [String.raw`a\\.`, true],
    [String.raw`a\\\.`, false],
  ])('RFC 1035 s5.1: %j ends with the root: %j', (text, absolute) => {
    expect(isAbsolute(text)).toBe(absolute);
  });

  it.each([
    ['www', 'example.', 'www.example.'],
    ['www.', 'example.', 'www.'],
    ['@', 'example.', 'example.'],
    ['www', '.', 'www.'],
    [String.raw`www\.`, 'example.', String.raw`www\..example.`],
  ])('RFC 1035 s5.1: %j in %j is %j', (text, origin, absolute) => {
    expect(toAbsoluteName(text, origin)).toBe(absolute);
  });

  it.each([
    ['example.', 'example.', true],
    ['a.example.', 'example.', true],
    ['aexample.', 'example.', false],
    [String.raw`a\.example.`, 'example.', false],
    [String.raw`a\\.example.`, 'example.', true],
    ['example.', 'a.example.', false],
    ['anything.', '.', true],
  ])('RFC 9499 s7: %j is at or below %j: %j', (ownerName, zoneName, inside) => {
    expect(isAtOrBelow(ownerName, zoneName)).toBe(inside);
  });

  it.each([
    ['example.', 'example.', '@'],
    ['a.b.example.', 'example.', 'a.b'],
    ['a.other.', 'example.', 'a.other.'],
    ['a.', '.', 'a.'],
  ])('RFC 1035 s5.1: %j under $ORIGIN %j is written %j', (ownerName, origin, relative) => {
    expect(toRelativeName(ownerName, origin)).toBe(relative);
  });
});
