import { describe, expect, it } from '@jest/globals';
import { NameSyntaxError } from '../values/problem.js';
import { canonicalOwnerName } from './owner-names.js';

describe('canonicalOwnerName', () => {
  it.each([
    ['WWW.Example.COM.', 'www.example.com.'],
    ['www.example.com', 'www.example.com.'],
    ['*.Example.', '*.example.'],
    ['.', '.'],
    [String.raw`\065\.B.example.`, String.raw`a\.b.example.`],
    [String.raw`a\.`, String.raw`a\..`],
    ['a(b.example.', String.raw`a\(b.example.`],
    [String.raw`\192.example.`, String.raw`\192.example.`],
  ])('RFC 4343 s3: %j is %j', (text, canonical) => {
    expect(canonicalOwnerName(text)).toBe(canonical);
    expect(canonicalOwnerName(canonical)).toBe(canonical);
  });

  it.each(['', 'bücher.', String.raw`\999.`])('throws for %j, which is not a name', (text) => {
    expect(() => canonicalOwnerName(text)).toThrow(NameSyntaxError);
  });
});
