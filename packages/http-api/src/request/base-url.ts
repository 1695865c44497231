import type { IncomingMessage } from 'node:http';
import { countProxies, type ProxyTrust } from './source-address.js';

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
