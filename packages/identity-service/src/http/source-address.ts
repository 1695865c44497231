import type { IncomingMessage } from 'node:http';
import { isIP, isIPv6 } from 'node:net';

/**
 * The address a request comes from: the peer's, or behind `trustedProxies` reverse proxies the one that the
 * outermost of them wrote into X-Forwarded-For. What stands left of that was sent by the client and is not believed.
 */
export function sourceAddress(request: IncomingMessage, trustedProxies: number): string {
  const peer = withoutMapping(request.socket.remoteAddress ?? '');
  if (trustedProxies === 0) return peer;
  const forwarded = String(request.headers['x-forwarded-for'] ?? '')
    .split(',')
    .map((part) => part.trim())
    .filter((part) => isIP(part) !== 0);
  return withoutMapping(forwarded.at(-trustedProxies) ?? peer);
}

/** The network that one customer usually has: a /24 of IPv4, a /64 of IPv6. */
export function sourceNetwork(address: string): string {
  if (!isIPv6(address)) return address.split('.').slice(0, 3).join('.');
  const [head = '', tail = ''] = address.split('::');
  const groups = head.split(':').filter((group) => group !== '');
  const missing = 8 - groups.length - tail.split(':').filter((group) => group !== '').length;
  const expanded = address.includes('::')
    ? [...groups, ...Array<string>(missing).fill('0'), ...tail.split(':')]
    : groups;
  return expanded.slice(0, 4).join(':');
}

/** IPv4 clients of a socket that also takes IPv6 appear as ::ffff:192.0.2.1. */
function withoutMapping(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/i, '');
}
