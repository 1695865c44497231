import type { IncomingMessage } from 'node:http';
import { baseUrlOf } from '@zonewright/http-api';
import { ServiceError } from '@zonewright/service-kit';
import type { ConsoleSettings } from './settings.js';

/** Loopback names. Traffic that never leaves the machine needs no TLS (Secure Contexts s3.1). */
const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/** Origin of the console in the browser that sent a request. */
export interface RequestOrigin {
  readonly origin: string;
  readonly isSecure: boolean;
  readonly isLoopback: boolean;
}

export function requestOrigin(
  request: IncomingMessage,
  settings: ConsoleSettings['http'],
): RequestOrigin {
  const { origin, protocol, hostname } = new URL(baseUrlOf(request, settings));
  return { origin, isSecure: protocol === 'https:', isLoopback: LOOPBACK.test(hostname) };
}

/**
 * Rejects requests that another site's page has sent (Fetch Metadata s2.3). Without TLS, browsers omit Sec-Fetch-Site;
 * Origin must then be that of the console. @throws ServiceError forbidden
 */
export function requireSameOrigin({ headers }: IncomingMessage, { origin }: RequestOrigin): void {
  const site = headers['sec-fetch-site'];
  const isOwn = site === undefined ? headers.origin === origin : site === 'same-origin';
  // If a browser sends both headers, they must agree.
  const isForeign = headers.origin !== undefined && headers.origin !== origin;
  if (isOwn && !isForeign) return;
  throw new ServiceError(
    'forbidden',
    'Only pages of the console may send this request; programs must use the APIs.',
  );
}

/** Requires TLS, since a cookie without Secure could be read on the network. @throws ServiceError */
export function requireSecureOrigin({ isSecure, isLoopback }: RequestOrigin): void {
  if (isSecure || isLoopback) return;
  throw new ServiceError(
    'forbidden',
    'The console needs HTTPS here: without it, others on the network could take over the session. On the machine of the console, use http://127.0.0.1.',
  );
}
