import { describe, expect, it } from '@jest/globals';
import { isSpecialAddress } from './special-address.js';

/**
 * IANA's special-purpose address registries (IPv4 and IPv6): block, an address in it, and whether the registry calls it
 * globally reachable. `ours`: our answer if it differs.
 */
type Row = readonly [block: string, address: string, isReachable: boolean, ours?: string];

const REGISTRIES: readonly Row[] = [
  ['0.0.0.0/8', '0.1.2.3', false],
  ['0.0.0.0/32', '0.0.0.0', false],
  ['10.0.0.0/8', '10.255.0.1', false],
  ['100.64.0.0/10', '100.127.255.1', false],
  ['127.0.0.0/8', '127.0.0.53', false],
  ['169.254.0.0/16', '169.254.169.254', false],
  ['172.16.0.0/12', '172.31.255.1', false],
  ['192.0.0.0/24', '192.0.0.1', false],
  ['192.0.0.0/29', '192.0.0.7', false],
  ['192.0.0.8/32', '192.0.0.8', false],
  ['192.0.0.9/32', '192.0.0.9', true, 'special'],
  ['192.0.0.10/32', '192.0.0.10', true, 'special'],
  ['192.0.0.170/32', '192.0.0.170', false],
  ['192.0.0.171/32', '192.0.0.171', false],
  ['192.0.2.0/24', '192.0.2.1', false, 'documentation'],
  ['192.31.196.0/24', '192.31.196.1', true],
  ['192.52.193.0/24', '192.52.193.1', true],
  ['192.88.99.0/24', '192.88.99.1', false],
  ['192.168.0.0/16', '192.168.255.1', false],
  ['192.175.48.0/24', '192.175.48.1', true],
  ['198.18.0.0/15', '198.19.255.1', false],
  ['198.51.100.0/24', '198.51.100.1', false, 'documentation'],
  ['203.0.113.0/24', '203.0.113.1', false, 'documentation'],
  ['240.0.0.0/4', '250.1.2.3', false],
  ['255.255.255.255/32', '255.255.255.255', false],
  ['::1/128', '::1', false],
  ['::/128', '::', false],
  ['::ffff:0:0/96', '::ffff:10.0.0.1', false],
  ['64:ff9b::/96', '64:ff9b::8.8.8.8', true],
  ['64:ff9b:1::/48', '64:ff9b:1::8.8.8.8', false],
  ['100::/64', '100::1', false],
  ['100:0:0:1::/64', '100:0:0:1::1', false],
  ['2001::/23', '2001:100::1', false],
  ['2001::/32', '2001:0:4136:e378:8000:63bf:3fff:fdd2', false],
  ['2001:1::1/128', '2001:1::1', true, 'special'],
  ['2001:1::2/128', '2001:1::2', true, 'special'],
  ['2001:1::3/128', '2001:1::3', true, 'special'],
  ['2001:2::/48', '2001:2::1', false],
  ['2001:3::/32', '2001:3::1', true, 'special'],
  ['2001:4:112::/48', '2001:4:112::1', true, 'special'],
  ['2001:10::/28', '2001:10::1', false],
  ['2001:20::/28', '2001:20::1', true, 'special'],
  ['2001:30::/28', '2001:30::1', true, 'special'],
  ['2001:db8::/32', '2001:db8::1', false, 'documentation'],
  ['2002::/16', '2002:a00:1::1', false],
  ['2620:4f:8000::/48', '2620:4f:8000::1', true],
  ['3fff::/20', '3fff:fff::1', false],
  ['5f00::/16', '5f00::1', false],
  ['fc00::/7', 'fd00::1', false],
  ['fe80::/10', 'fe80::1', false],
];

describe('isSpecialAddress', () => {
  it.each(REGISTRIES)('RFC 6890: %s (%s)', (_block, address, isReachable, ours = '') => {
    const isSpecial = ours === 'special' || (!isReachable && ours !== 'documentation');
    expect(isSpecialAddress(address)).toBe(isSpecial);
  });

  it.each([
    ['mapped', '::ffff:'],
    ['behind a NAT64 (RFC 6052)', '64:ff9b::'],
  ])('an IPv4 address that is %s is as special as without it', (_how, prefix) => {
    for (const [, address, isReachable, ours] of REGISTRIES.filter(
      ([block]) => !block.includes(':'),
    )) {
      const isSpecial = ours === 'special' || (!isReachable && ours !== 'documentation');
      expect([address, isSpecialAddress(prefix + address)]).toEqual([address, isSpecial]);
    }
    expect(isSpecialAddress(`${prefix}8.8.8.8`)).toBe(false);
  });

  it.each([
    ['IPv4-translated (RFC 2765 s2.1)', '::ffff:0:10.0.0.1'],
    ['IPv4-compatible (RFC 4291 s2.5.5.1)', '::10.0.0.1'],
    ['multicast', 'ff02::1'],
    ['multicast', '224.0.0.1'],
    ['site-local (RFC 3879)', 'fec0::1'],
  ])('%s: %s is special', (_what, address) => {
    expect(isSpecialAddress(address)).toBe(true);
  });

  it('an address with a zone id belongs to a link', () => {
    expect(['fe80::1%eth0', '2606:4700::1%eth0'].map(isSpecialAddress)).toEqual([true, true]);
  });

  it.each(['8.8.8.8', '192.0.1.1', '2606:4700:4700::1111', '2a00::1', '2001:200::1'])(
    '%s is a public address',
    (address) => {
      expect(isSpecialAddress(address)).toBe(false);
    },
  );
});
