import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';

/**
 * The address a request comes from: the peer's, or behind `trustedProxies` reverse proxies the one that the
 * outermost of them wrote into X-Forwarded-For. What stands left of that was sent by the client and is not believed.
 */
export function sourceAddress(request: IncomingMessage, trustedProxies: number): string {
  const peer = withoutMapping(request.socket.remoteAddress ?? '');
  if (trustedProxies === 0) return peer;
  const forwarded = String(request.headers['x-forwarded-for'] ?? '').split(',');
  // Counted before anything is looked at: to leave out what is no address would make way for what the client sent.
  const address = withoutPort((forwarded.at(-trustedProxies) ?? '').trim());
  return isIP(address) === 0 ? peer : withoutMapping(address);
}

/** Some proxies write the port as well, and then brackets around IPv6. */
function withoutPort(text: string): string {
  const [, ipv6, ipv4] = /^(?:\[([^\]]*)\](?::\d+)?|(\d+(?:\.\d+){3}):\d+)$/.exec(text) ?? [];
  return ipv6 ?? ipv4 ?? text;
}

/** IPv4 clients of a socket that also takes IPv6 appear as ::ffff:192.0.2.1. */
function withoutMapping(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/i, '');
}
