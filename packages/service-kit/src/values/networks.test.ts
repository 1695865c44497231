import { describe, expect, it } from '@jest/globals';
import { isInNetworks, readNetwork } from './networks.js';

describe('readNetwork', () => {
  it.each(['192.0.2.0/24', '0.0.0.0/0', '192.0.2.1/32', '2001:db8::/32', '::/0', '192.0.2.128/25'])(
    'accepts %s',
    (network) => {
      expect(readNetwork(network)).toEqual({ network });
    },
  );

  it.each([
    '192.0.2.1/24',
    '192.0.2.64/25',
    '2001:db8::1/64',
    '2001:DB8:1::/32',
    '192.0.2.0/33',
    '::/129',
    '192.0.2.0',
    '192.0.2/24',
    'x/8',
    '',
  ])('refuses %j', (text) => {
    expect(readNetwork(text)).toHaveProperty('fault');
  });
});

describe('isInNetworks', () => {
  const networks = ['192.0.2.0/24', '2001:db8::/32'];

  it.each([
    ['192.0.2.7', true],
    ['::ffff:192.0.2.7', true],
    ['192.0.3.7', false],
    ['2001:db8:5::1', true],
    ['2001:db9::1', false],
    ['fe80::1%eth0', false],
    ['no address', false],
  ])('%s: %s', (address, expected) => {
    expect(isInNetworks(address, networks)).toBe(expected);
  });

  it('without networks every address is allowed', () => {
    expect(isInNetworks('203.0.113.1', [])).toBe(true);
  });
});
