import { describe, expect, it } from '@jest/globals';
import type { IncomingMessage } from 'node:http';
import { sourceAddress, sourceNetwork } from './source-address.js';

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
  ])('issue 3: peer %s, header %s, %d proxies: %s', (peer, forwarded, proxies, expected) => {
    expect(sourceAddress(requestFrom(peer, forwarded), proxies)).toBe(expected);
  });
});

describe('sourceNetwork', () => {
  it.each([
    ['192.0.2.77', '192.0.2'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
    ['2001:db8::1', '2001:db8:0:0'],
    ['::1', '0:0:0:0'],
    ['2001:db8:1:2::', '2001:db8:1:2'],
  ])('decisions 2: %s lies in %s', (address, network) => {
    expect(sourceNetwork(address)).toBe(network);
  });
});
