import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { isInNetworks } from '@zonewright/service-kit';

/** Which proxies in front are believed. */
export interface ProxyTrust {
  readonly trustedProxies: number;
  /** The networks from which the innermost of them connects; none: whoever connects is taken for one. */
  readonly trustedProxyNetworks: readonly string[];
}

/** How many proxies a request came through whose headers are believed. */
export function countProxies(
  request: IncomingMessage,
  { trustedProxies, trustedProxyNetworks }: ProxyTrust,
): number {
  if (trustedProxies === 0) return 0;
  return isInNetworks(peerOf(request), trustedProxyNetworks) ? trustedProxies : 0;
}

function peerOf(request: IncomingMessage): string {
  return withoutMapping(request.socket.remoteAddress ?? '');
}

/**
 * The address a request comes from: the peer's, or behind `trustedProxies` reverse proxies the one that the
 * outermost of them wrote into X-Forwarded-For. What stands left of that was sent by the client and is not believed.
 */
export function sourceAddress(request: IncomingMessage, trust: ProxyTrust): string {
  const peer = peerOf(request);
  const trustedProxies = countProxies(request, trust);
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
