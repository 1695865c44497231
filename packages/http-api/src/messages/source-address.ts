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
function countProxies(
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

interface BaseUrlSettings extends ProxyTrust {
  readonly publicUrl: string | undefined;
}

/** A host name, IPv4 address or bracketed IPv6 address, with or without a port. */
const HOST_FORM = /^(?:[A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\])(?::\d{1,5})?$/;

/**
 * What Location and links begin with, without a slash at the end: the public URL, or else where the client says that it
 * found the service. Behind trusted proxies X-Forwarded-Proto and X-Forwarded-Host say it.
 */
export function baseUrlOf(request: IncomingMessage, settings: BaseUrlSettings): string {
  if (settings.publicUrl !== undefined) return settings.publicUrl.replace(/\/+$/, '');
  const { socket, headers } = request;
  const isTrusting = countProxies(request, settings) > 0;
  const forwarded = (name: string) =>
    isTrusting
      ? String(headers[name] ?? '')
          .split(',')[0]
          ?.trim()
      : undefined;
  const protocol = forwarded('x-forwarded-proto')?.toLowerCase();
  const scheme =
    protocol === 'http' || protocol === 'https' ? protocol : isEncrypted(socket) ? 'https' : 'http';
  const host = forwarded('x-forwarded-host') || headers.host;
  return `${scheme}://${host !== undefined && HOST_FORM.test(host) ? host : ownAddress(socket)}`;
}

/** HTTP/1.0 has no Host, and a strange one must not end up in links. */
function ownAddress({ localAddress = '127.0.0.1', localPort }: IncomingMessage['socket']): string {
  const host = localAddress.includes(':') ? `[${localAddress}]` : localAddress;
  return `${host}:${localPort ?? ''}`;
}

function isEncrypted(socket: IncomingMessage['socket']): boolean {
  return 'encrypted' in socket && socket.encrypted === true;
}
