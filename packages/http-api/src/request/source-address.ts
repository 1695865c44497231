import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';

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

/** IPv4 clients of a socket that also takes IPv6 appear as ::ffff:192.0.2.1. */
function withoutMapping(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/i, '');
}
