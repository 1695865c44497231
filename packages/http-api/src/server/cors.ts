import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';

/** Headers that scripts may send, in addition to the safelist of Fetch. */
const REQUEST_HEADERS = [
  'Accept',
  'Content-Type',
  'Idempotency-Key',
  'If-Match',
  'If-None-Match',
  'Prefer',
  'X-Auth-All-Projects',
  'X-Auth-Key',
  'X-Auth-Sudo-Project-ID',
  'X-Auth-Token',
  'X-Auth-User',
  'X-Designate-Edit-Managed-Records',
  'X-Subject-Token',
  'X-Zonewright-Note',
].join(', ');

/** Response headers that scripts may read. */
const RESPONSE_HEADERS = [
  'Allow',
  'Content-Disposition',
  'ETag',
  'Link',
  'Location',
  'Preference-Applied',
  'Retry-After',
  'RetryAfter',
  'X-Auth-Token',
  'X-Openstack-Request-Id',
  'X-Storage-Token',
  'X-Storage-Url',
  'X-Subject-Token',
  'X-Total-Count',
  'X-Zonewright-Dry-Run',
  'X-Zonewright-Publication',
  'X-Zonewright-Published',
  'X-Zonewright-Serial',
  'X-Zonewright-Warning',
].join(', ');

const METHODS = 'GET, HEAD, POST, PUT, PATCH, DELETE';
const PREFLIGHT_SECONDS = '600';

/**
 * Lets scripts of the given origins use an API from a browser (Fetch standard, CORS protocol); `*` means every origin.
 * Scripts set credentials in headers themselves, so cookies are never allowed. Without origins the listener is
 * unchanged.
 */
export function allowOrigins(
  origins: readonly string[],
  listener: RequestListener,
): RequestListener {
  if (origins.length === 0) return listener;
  const allowed = new Set(origins);
  return (request, response) => {
    const { origin } = request.headers;
    if (origin === undefined) {
      listener(request, response);
      return;
    }
    const isAllowed = allowed.has('*') || allowed.has(origin);
    if (isAllowed) addHeaders(response, allowed.has('*') ? '*' : origin);
    if (isAllowed && isPreflight(request)) answerPreflight(response);
    else listener(request, response);
  };
}

function addHeaders(response: ServerResponse, origin: string): void {
  response.setHeader('Access-Control-Allow-Origin', origin);
  response.setHeader('Access-Control-Expose-Headers', RESPONSE_HEADERS);
  if (origin !== '*') response.setHeader('Vary', 'Origin');
}

function isPreflight({ method, headers }: IncomingMessage): boolean {
  return method === 'OPTIONS' && headers['access-control-request-method'] !== undefined;
}

function answerPreflight(response: ServerResponse): void {
  response
    .writeHead(204, {
      'Access-Control-Allow-Methods': METHODS,
      'Access-Control-Allow-Headers': REQUEST_HEADERS,
      'Access-Control-Max-Age': PREFLIGHT_SECONDS,
    })
    .end();
}
