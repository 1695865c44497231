import { describe, expect, it } from '@jest/globals';
import { classNumber } from './rr-type.js';
import { typeMnemonic, typeNumber } from './rr-type.js';

describe('type mnemonics', () => {
  it.each([
    ['A', 1],
    ['aaaa', 28],
    ['HTTPS', 65],
    ['ANY', 255],
    ['CAA', 257],
    ['TYPE1', 1],
    ['type65535', 65_535],
  ])('RFC 3597 s5: %j is type %j', (text, number) => {
    expect(typeNumber(text)).toBe(number);
  });

  it.each(['', 'B', 'constructor', '__proto__', 'TYPE', 'TYPE65536', 'TYPE-1', 'TYPE1x'])(
    'RFC 3597 s5: %j is not a type',
    (text) => {
      expect(typeNumber(text)).toBeUndefined();
    },
  );

  it.each([
    [28, 'AAAA'],
    [257, 'CAA'],
    [0, 'TYPE0'],
    [65_280, 'TYPE65280'],
  ])('RFC 3597 s5: type %j is %j', (number, mnemonic) => {
    expect(typeMnemonic(number)).toBe(mnemonic);
  });
});

describe('class mnemonics', () => {
  it.each([
    ['in', 1],
    ['CH', 3],
    ['CLASS1', 1],
    ['MX', undefined],
    ['constructor', undefined],
  ])('RFC 3597 s5: %j is class %j', (text, number) => {
    expect(classNumber(text)).toBe(number);
  });
});
