import type { IncomingMessage } from 'node:http';
import { describe, expect, it } from '@jest/globals';
import { sourceAddress } from './source-address.js';

function requestFrom(remoteAddress: string, forwarded?: string): IncomingMessage {
  const headers = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded };
  return { socket: { remoteAddress }, headers } as unknown as IncomingMessage;
}

describe('sourceAddress', () => {
  it.each([
    ['192.0.2.1', undefined, 0, '192.0.2.1'],
    ['::ffff:192.0.2.1', undefined, 0, '192.0.2.1'],
    ['192.0.2.1', '198.51.100.1', 0, '192.0.2.1'],
    ['192.0.2.1', '198.51.100.1', 1, '198.51.100.1'],
    ['192.0.2.1', '203.0.113.1, 198.51.100.1', 1, '198.51.100.1'],
    ['192.0.2.1', '203.0.113.1, 198.51.100.1, 192.0.2.9', 2, '198.51.100.1'],
    ['192.0.2.1', undefined, 1, '192.0.2.1'],
    ['192.0.2.1', 'unknown', 1, '192.0.2.1'],
    ['192.0.2.1', '2001:db8::1', 1, '2001:db8::1'],
    ['192.0.2.1', '203.0.113.1, 198.51.100.1:4711', 1, '198.51.100.1'],
    ['192.0.2.1', '203.0.113.1, [2001:db8::1]:4711', 1, '2001:db8::1'],
    ['192.0.2.1', '203.0.113.1, [2001:db8::1]', 1, '2001:db8::1'],
    ['192.0.2.1', '203.0.113.1, unknown', 1, '192.0.2.1'],
    ['192.0.2.1', '203.0.113.1, unknown, 192.0.2.9', 2, '192.0.2.1'],
    ['192.0.2.1', '203.0.113.1, 198.51.100.1, , 192.0.2.9', 2, '192.0.2.1'],
  ])('peer %s, header %s, %d proxies: %s', (peer, forwarded, proxies, expected) => {
    const trust = { trustedProxies: proxies, trustedProxyNetworks: [] };
    expect(sourceAddress(requestFrom(peer, forwarded), trust)).toBe(expected);
  });

  it.each([
    ['10.0.0.7', '198.51.100.1'],
    ['::ffff:10.0.0.7', '198.51.100.1'],
    ['2001:db8::7', '198.51.100.1'],
    // This address is not a proxy, so its header is ignored.
    ['192.0.2.1', '192.0.2.1'],
    ['2001:db9::7', '2001:db9::7'],
    ['', ''],
  ])(
    'TRUST_PROXY_ADDRESSES: the header of %j counts only if it is a proxy: %j',
    (peer, expected) => {
      const trust = { trustedProxies: 1, trustedProxyNetworks: ['10.0.0.0/8', '2001:db8::/32'] };
      expect(sourceAddress(requestFrom(peer, '203.0.113.1, 198.51.100.1'), trust)).toBe(expected);
    },
  );
});
