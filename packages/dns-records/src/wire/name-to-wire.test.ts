import { describe, expect, it } from '@jest/globals';
import { NameSyntaxError } from '../values/problem.js';
import { nameToWire } from './name-to-wire.js';

const LABEL_63 = 'a'.repeat(63);
const LABELS_192 = `${LABEL_63}.${LABEL_63}.${LABEL_63}.`;
const NAME_255 = `${LABELS_192}${'a'.repeat(61)}.`;

function octets(...labels: string[]): Uint8Array {
  return Uint8Array.from(
    [...labels, ''].flatMap((label) => [label.length, ...Buffer.from(label, 'latin1')]),
  );
}

describe('nameToWire', () => {
  it.each([
    ['the root', '.', octets()],
    ['labels with their lengths', 'www.example.', octets('www', 'example')],
    ['letters as they are', 'WwW.example.', octets('WwW', 'example')],
    ['an escaped dot', String.raw`a\.b.example.`, octets('a.b', 'example')],
    ['an escaped backslash', String.raw`a\\.example.`, octets('a\\', 'example')],
    ['octets as \\DDD', String.raw`\000\255\046.example.`, octets('\0\xff.', 'example')],
    ['blanks and quotes', 'a "b.example.', octets('a "b', 'example')],
    ['a label of 63 octets', `${LABEL_63}.`, octets(LABEL_63)],
  ])('RFC 1035 s3.1, s5.1: writes %s', (_what, text, wire) => {
    expect(nameToWire(text)).toEqual(wire);
  });

  it('RFC 1035 s2.3.4: accepts 255 octets, including the root label', () => {
    expect(nameToWire(NAME_255)).toHaveLength(255);
  });

  it.each([
    ['', 'must not be empty'],
    ['www', 'an absolute name ends with a dot: "www."'],
    [String.raw`www\.`, 'is relative'],
    ['a..b.', 'empty label'],
    ['.a.', 'empty label'],
    ['..', 'empty label'],
    [`${LABEL_63}a.`, 'more than 63 octets'],
    [`${LABELS_192}${'a'.repeat(62)}.`, 'more than 255 octets'],
    [`a.${NAME_255}`, 'more than 255 octets'],
    [String.raw`\256.`, 'from 000 to 255'],
    [String.raw`\25.`, 'from 000 to 255'],
    [String.raw`\1`, 'from 000 to 255'],
    ['a\\', 'escapes nothing'],
    ['bücher.', 'A-labels'],
    ['\\ü.', 'A-labels'],
    ['\ud800.', 'A-labels'],
  ])('RFC 1035 s2.3.4, s5.1: refuses %j', (text, words) => {
    expect(() => nameToWire(text)).toThrow(NameSyntaxError);
    expect(() => nameToWire(text)).toThrow(words);
  });
});
