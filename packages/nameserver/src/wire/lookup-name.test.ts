import { nameToWire } from '@zonewright/dns-records';
import { describe, expect, it } from '@jest/globals';

import {
  isAtOrBelow,
  isSameName,
  joinLookupNames,
  LookupName,
  readLookupName,
  toLookupName,
} from './lookup-name.js';

function nameOf(text: string): LookupName {
  return toLookupName(nameToWire(text));
}

function read(octets: readonly number[], end = octets.length): number {
  return readLookupName(new LookupName(), Uint8Array.from(octets), 0, end);
}

describe('LookupName', () => {
  it('RFC 1035 s3.1: contains the start of each ancestor', () => {
    const name = nameOf('www.example.test.');
    expect(name.labels).toBe(3);
    expect([...name.starts.subarray(0, 4)]).toEqual([0, 4, 12, 17]);
    expect(name.length).toBe(18);
  });

  it('RFC 4343 s3: keeps the letters and also has them in lower case; other octets are unchanged', () => {
    const name = nameOf('W\\200\\065w.');
    expect(Buffer.from(name.spelled.subarray(0, name.length))).toEqual(
      Buffer.from([4, 0x57, 200, 0x41, 0x77, 0]),
    );
    expect(Buffer.from(name.lower.subarray(0, name.length))).toEqual(
      Buffer.from([4, 0x77, 200, 0x61, 0x77, 0]),
    );
  });

  it('an ancestor has the same hash as that name alone, in any letter case', () => {
    const name = nameOf('www.EXAMPLE.test.');
    expect(name.hashes[1]).toBe(nameOf('example.TEST.').hashes[0]);
    expect(name.hashes[3]).toBe(nameOf('.').hashes[0]);
    expect(name.hashes[0]).not.toBe(nameOf('ww.wexample.test.').hashes[0]);
  });

  it.each([
    ['the root', [0], 1],
    ['a label', [1, 0x61, 0, 9, 9], 3],
    ['the longest label', [63, ...Array<number>(63).fill(0x61), 0], 65],
    ['the longest name', [...Array<number[]>(127).fill([1, 0x61]).flat(), 0], 255],
  ])('RFC 1035 s2.3.4: reads %s', (_, octets, end) => {
    expect(read(octets)).toBe(end);
  });

  it.each([
    ['nothing', []],
    ['a label without an end', [3, 0x61, 0x62]],
    ['a name without the root', [1, 0x61]],
    ['a compression pointer', [1, 0x61, 0xc0, 0x00]],
    ['a label of a reserved kind', [0x41, 0x00]],
    ['a label of 64 octets', [64, ...Array<number>(64).fill(0x61), 0]],
    ['a name of 256 octets', [2, 0x61, 0x61, ...Array<number[]>(126).fill([1, 0x61]).flat(), 0]],
    ['a name without end', Array<number>(600).fill(1)],
  ])('RFC 1035 s2.3.4, s4.1.4: refuses %s', (_, octets) => {
    expect(read(octets)).toBe(-1);
  });

  it('does not read beyond the given end', () => {
    expect(read([1, 0x61, 0], 2)).toBe(-1);
  });

  it.each([
    ['www.example.test.', 'example.test.', true],
    ['example.test.', 'EXAMPLE.test.', true],
    ['example.test.', 'www.example.test.', false],
    ['notexample.test.', 'example.test.', false],
    ['www.example.test.', '.', true],
  ])('%s is at or below %s: %s', (name, other, expected) => {
    expect(isAtOrBelow(nameOf(name), nameOf(other), 0)).toBe(expected);
  });

  it('RFC 4343: equal names differ at most in letter case', () => {
    expect(isSameName(nameOf('a.B.'), nameOf('A.b.'))).toBe(true);
    expect(isSameName(nameOf('a.b.'), nameOf('b.'))).toBe(false);
  });
});

describe('joinLookupNames: RFC 6672 s2.2', () => {
  it.each([
    ['a.b.old.test.', 2, 'New.Example.', 'a.b.New.Example.'],
    ['WWW.old.test.', 1, '.', 'WWW.'],
    ['old.test.', 0, 'x.y.z.', 'x.y.z.'],
  ])('%s, ancestor %d, before %s is %s', (front, ancestor, back, result) => {
    const name = nameOf('something.longer.that.was.here.before.');
    expect(joinLookupNames(name, nameOf(front), ancestor, nameOf(back))).toBe(true);
    const expected = nameOf(result);
    const { length, labels } = expected;
    expect([name.length, name.labels]).toEqual([length, labels]);
    expect(name.spelled.subarray(0, length)).toEqual(expected.spelled.subarray(0, length));
    expect(name.lower.subarray(0, length)).toEqual(expected.lower.subarray(0, length));
    expect(name.starts.subarray(0, labels + 1)).toEqual(expected.starts.subarray(0, labels + 1));
    expect(name.hashes.subarray(0, labels + 1)).toEqual(expected.hashes.subarray(0, labels + 1));
  });

  it('accepts 255 octets, but not 256', () => {
    const long = (octets: number) => nameOf('a.'.repeat(Math.floor((octets - 1) / 2)));
    const back = long(251);
    expect(back.length).toBe(251);
    expect(joinLookupNames(new LookupName(), nameOf('abc.x.'), 1, back)).toBe(true);
    expect(joinLookupNames(new LookupName(), nameOf('abcd.x.'), 1, back)).toBe(false);
  });
});
