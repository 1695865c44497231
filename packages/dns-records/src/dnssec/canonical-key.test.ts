import { describe, expect, it } from '@jest/globals';
import { nameToWire } from '../wire/name-to-wire.js';
import { wireToName } from '../wire/wire-to-name.js';
import { canonicalKey, endOfSubtree, nameOfKey } from './canonical.js';

const APEX = nameToWire('example.');
const keyOf = (name: string) => canonicalKey(nameToWire(name), APEX);

describe('canonicalKey', () => {
  it('RFC 4034 s6.1: keys sort like the names of its example', () => {
    const names = [
      'example.',
      'a.example.',
      'yljkjljk.a.example.',
      'Z.a.example.',
      'zABC.a.EXAMPLE.',
      'z.example.',
      String.raw`\001.z.example.`,
      '*.z.example.',
      String.raw`\200.z.example.`,
    ];
    expect(names.map(keyOf)).toEqual(names.map(keyOf).sort());
    expect(new Set(names.map(keyOf)).size).toBe(names.length);
  });

  it('RFC 4034 s6.1: no octet sorts before a zero octet, and labels with both sort accordingly', () => {
    const names = [
      'a',
      String.raw`a\000`,
      String.raw`a\000\000`,
      String.raw`a\000\001`,
      String.raw`a\001`,
      String.raw`a\002`,
    ];
    const keys = names.map((name) => keyOf(`${name}.example.`));
    expect(keys).toEqual([...keys].sort());
  });

  it.each(['example.', 'a.b.example.', '*.example.', String.raw`\000\001\002\255.x.example.`])(
    'the key of %s can be converted back to the name',
    (name) => {
      expect(wireToName(nameOfKey(keyOf(name), APEX))).toBe(name);
    },
  );

  it('names at or below another name are a range', () => {
    const inside = ['b.example.', 'a.b.example.', String.raw`\255.b.example.`].map(keyOf);
    const outside = [
      'example.',
      'a.example.',
      'ab.example.',
      String.raw`b\000.example.`,
      'ba.example.',
      'c.example.',
    ];
    const [start, end] = [keyOf('b.example.'), endOfSubtree(keyOf('b.example.'))];
    expect(inside.every((key) => key >= start && key < end)).toBe(true);
    expect(outside.map(keyOf).some((key) => key >= start && key < end)).toBe(false);
  });
});
