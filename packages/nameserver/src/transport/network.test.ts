import { describe, expect, it } from '@jest/globals';
import { isInNetworks, parseNetwork } from './source-address.js';
import { ADDRESS_OCTETS, writeSourceAddress } from './source-address.js';

function isIn(address: string, network: string): boolean {
  const octets = new Uint8Array(ADDRESS_OCTETS);
  writeSourceAddress(octets, address);
  const parsed = parseNetwork(network);
  return parsed !== undefined && isInNetworks(octets, [parsed]);
}

describe('isInNetworks', () => {
  it.each([
    ['127.255.0.1', '127.0.0.0/8', true],
    ['128.0.0.1', '127.0.0.0/8', false],
    ['192.0.2.129', '192.0.2.128/25', true],
    ['192.0.2.127', '192.0.2.128/25', false],
    ['192.0.2.1', '0.0.0.0/0', true],
    ['2001:db8::1', '0.0.0.0/0', false],
    ['192.0.2.7', '192.0.2.7/32', true],
    ['::1', '::1/128', true],
    ['::2', '::1/128', false],
    ['2001:db8:ff::1', '2001:db8:f0::/44', true],
    ['2001:db8:e0::1', '2001:db8:f0::/44', false],
  ])('RFC 4632 s3.1: is %s in %s? %s', (address, network, expected) => {
    expect(isIn(address, network)).toBe(expected);
  });

  it.each(['192.0.2.0', '192.0.2.0/33', 'example/8', '192.0.2.0/x'])(
    '%s is not a network',
    (text) => {
      expect(parseNetwork(text)).toBeUndefined();
    },
  );
});
