import { isIPv4 } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { ipv4ToOctets } from './address-text.js';

describe('ipv4ToOctets', () => {
  it.each([
    ['192.0.2.1', [192, 0, 2, 1]],
    ['0.0.0.0', [0, 0, 0, 0]],
    ['255.255.255.255', [255, 255, 255, 255]],
  ])('RFC 1035 s3.4.1: reads %s', (text, octets) => {
    expect(ipv4ToOctets(text)).toEqual(Uint8Array.from(octets));
  });

  it.each([
    '',
    '.',
    '1.2.3',
    '1.2.3.4.',
    '1.2.3.4.5',
    '1..2.3',
    '256.1.1.1',
    '192.0.2.01',
    '0x7f.1',
  ])('RFC 1035 s3.4.1: refuses %j', (text) => {
    expect(ipv4ToOctets(text)).toBeUndefined();
  });

  it('RFC 1035 s3.4.1: agrees with node:net', () => {
    const texts = fc.oneof(
      fc.ipV4(),
      fc.stringMatching(/^[0-9.]{0,16}$/),
      fc.string(),
      fc.array(fc.nat(300), { minLength: 3, maxLength: 5 }).map((parts) => parts.join('.')),
    );
    fc.assert(
      fc.property(texts, (text) => {
        const octets = ipv4ToOctets(text);
        expect(octets !== undefined).toBe(isIPv4(text));
        if (octets !== undefined) expect(octets.join('.')).toBe(text);
      }),
    );
  });
});
