import type { Request } from 'express';
import type { DnsApiSettings } from '../settings.js';

/** A host name, IPv4 address or bracketed IPv6 address, with or without a port. */
const HOST_FORM = /^(?:[A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\])(?::\d{1,5})?$/;

/**
 * What Location and links begin with: DNS_API_PUBLIC_URL, or else where the client says that it found the
 * service. Express takes X-Forwarded-* into account when `trust proxy` is set.
 */
export function baseUrlOf(request: Request, settings: DnsApiSettings['http']): string {
  if (settings.publicUrl !== undefined) return settings.publicUrl.replace(/\/+$/, '');
  const { host } = request;
  // HTTP/1.0 has no Host, and a strange one must not end up in links.
  const address = request.socket.localAddress ?? '127.0.0.1';
  const fallback = `${address.includes(':') ? `[${address}]` : address}:${request.socket.localPort ?? ''}`;
  return `${request.protocol}://${typeof host === 'string' && HOST_FORM.test(host) ? host : fallback}`;
}
