import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { isInNetworks } from '@zonewright/service-kit';

/** Rules for trusting proxies. */
export interface ProxyTrust {
  readonly trustedProxies: number;
  /** Networks from which the innermost proxy connects; if empty, every peer counts as a proxy. */
  readonly trustedProxyNetworks: readonly string[];
}

/** Returns the number of trusted proxies that a request came through. */
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
 * Returns the source address of a request: the peer, or behind `trustedProxies` reverse proxies the address that the
 * outermost of them wrote into X-Forwarded-For. The client may have sent the entries before it, so they are ignored.
 */
export function sourceAddress(request: IncomingMessage, trust: ProxyTrust): string {
  const peer = peerOf(request);
  const trustedProxies = countProxies(request, trust);
  if (trustedProxies === 0) return peer;
  const forwarded = String(request.headers['x-forwarded-for'] ?? '').split(',');
  // Entries are counted before they are parsed: skipping invalid ones would select entries that the client sent.
  const address = withoutPort((forwarded.at(-trustedProxies) ?? '').trim());
  return isIP(address) === 0 ? peer : withoutMapping(address);
}

/** Some proxies add the port, and then put IPv6 addresses in brackets. */
function withoutPort(text: string): string {
  const [, ipv6, ipv4] = /^(?:\[([^\]]*)\](?::\d+)?|(\d+(?:\.\d+){3}):\d+)$/.exec(text) ?? [];
  return ipv6 ?? ipv4 ?? text;
}

/** Removes the prefix of IPv4 clients on a dual-stack socket, such as ::ffff:192.0.2.1. */
function withoutMapping(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/i, '');
}

interface BaseUrlSettings extends ProxyTrust {
  readonly publicUrl: string | undefined;
}

/** Host name, IPv4 address or bracketed IPv6 address, with or without a port. */
const HOST_FORM = /^(?:[A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\])(?::\d{1,5})?$/;

/**
 * Returns the base of Location headers and links, without a trailing slash. This is the public URL, or else the address
 * that the client used. Behind trusted proxies X-Forwarded-Proto and X-Forwarded-Host contain that address.
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

/** Used for HTTP/1.0, which has no Host header, and for a malformed Host, which links must not contain. */
function ownAddress({ localAddress = '127.0.0.1', localPort }: IncomingMessage['socket']): string {
  const host = localAddress.includes(':') ? `[${localAddress}]` : localAddress;
  return `${host}:${localPort ?? ''}`;
}

function isEncrypted(socket: IncomingMessage['socket']): boolean {
  return 'encrypted' in socket && socket.encrypted === true;
}
