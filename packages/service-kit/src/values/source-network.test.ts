import { describe, expect, it } from '@jest/globals';
import { sourceNetwork, sourceSite } from './networks.js';

describe('sourceNetwork', () => {
  it.each([
    ['192.0.2.77', '192.0.2.77', '192.0.2.0/24'],
    ['::ffff:192.0.2.77', '192.0.2.77', '192.0.2.0/24'],
    ['::FFFF:c000:24d', '192.0.2.77', '192.0.2.0/24'],
    ['0:0:0:0:0:ffff:c000:024d', '192.0.2.77', '192.0.2.0/24'],
    ['64:ff9b::192.0.2.77', '192.0.2.77', '192.0.2.0/24'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64', '2001:db8:1::/48'],
    ['2001:0DB8:0001:0002::', '2001:db8:1:2::/64', '2001:db8:1::/48'],
    ['2001:db8::1', '2001:db8:0:0::/64', '2001:db8:0::/48'],
    ['::2:3:4:5:6:7:8', '0:2:3:4::/64', '0:2:3::/48'],
    ['::1', '0:0:0:0::/64', '0:0:0::/48'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64', 'fe80:0:0::/48'],
    ['', '', '.0/24'],
  ])('decisions 2: %s counts for %s, in %s', (address, network, site) => {
    expect(sourceNetwork(address)).toBe(network);
    expect(sourceSite(address)).toBe(site);
  });
});
