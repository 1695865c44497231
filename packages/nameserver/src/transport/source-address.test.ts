import { describe, expect, it } from '@jest/globals';
import { ADDRESS_OCTETS, isIpv4, writeSourceAddress } from './source-address.js';

function octetsOf(text: string): string {
  const octets = new Uint8Array(ADDRESS_OCTETS).fill(0xaa);
  writeSourceAddress(octets, text);
  return Buffer.from(octets).toString('hex');
}

describe('writeSourceAddress', () => {
  it.each([
    ['192.0.2.255', '00000000000000000000ffffc00002ff'],
    ['0.0.0.0', '00000000000000000000ffff00000000'],
    ['::', '00000000000000000000000000000000'],
    ['::1', '00000000000000000000000000000001'],
    ['2001:db8::', '20010db8000000000000000000000000'],
    ['2001:db8::A:1', '20010db80000000000000000000a0001'],
    ['1:2:3:4:5:6:7:8', '00010002000300040005000600070008'],
    ['1::3:4:5:6:7:8', '00010000000300040005000600070008'],
    ['fe80::1%eth0', 'fe800000000000000000000000000001'],
    ['::ffff:192.0.2.1', '00000000000000000000ffffc0000201'],
    ['64:ff9b::192.0.2.1', '0064ff9b0000000000000000c0000201'],
  ])('RFC 4291 s2.2: %s', (text, hex) => {
    expect(octetsOf(text)).toBe(hex);
  });

  it.each([
    ['192.0.2.1', true],
    ['::ffff:192.0.2.1', true],
    ['::1', false],
    ['2001:db8::ffff:192.0.2.1', false],
  ])('RFC 4291 s2.5.5.2: %s is IPv4: %s', (text, expected) => {
    expect(isIpv4(Buffer.from(octetsOf(text), 'hex'))).toBe(expected);
  });
});
