import { describe, expect, it } from '@jest/globals';
import { NameSyntaxError } from '../values/problem.js';
import { wireToName } from './wire-to-name.js';

describe('wireToName', () => {
  it('RFC 1035 s5.1: escapes characters with a special meaning in text', () => {
    const label = Buffer.from('a.b\\"();@$ \0\x7f\xff', 'latin1');
    const wire = Uint8Array.of(label.length, ...label, 0);
    expect(wireToName(wire)).toBe(String.raw`a\.b\\\"\(\)\;\@\$\032\000\127\255.`);
  });

  it('RFC 1035 s3.1: reads at an offset and stops after the root label', () => {
    expect(wireToName(Uint8Array.of(9, 9, 1, 0x61, 0, 7), 2)).toBe('a.');
    expect(wireToName(Uint8Array.of(0))).toBe('.');
  });

  it.each([
    ['no octets', [], 'is truncated'],
    ['a label cut short', [3, 0x61], 'is truncated'],
    ['no root label', [1, 0x61], 'is truncated'],
    ['a compression pointer', [0xc0, 0x0c], 'the maximum is 63'],
    ['256 octets', [...Array.from({ length: 127 }, () => [1, 0x61]).flat(), 1, 0x61, 0], '255'],
  ])('RFC 1035 s2.3.4, s3.1: refuses %s', (_what, octets, words) => {
    const read = (): string => wireToName(Uint8Array.from(octets));
    expect(read).toThrow(NameSyntaxError);
    expect(read).toThrow(words);
  });
});
