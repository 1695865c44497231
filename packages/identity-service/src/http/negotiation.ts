import Negotiator from 'negotiator';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { HttpError } from './http-error.js';

export type Format = 'json' | 'xml';

export const MEDIA_TYPES = { json: 'application/json', xml: 'application/xml' } as const;

/** Names of the two formats: old clients label XML in either of two ways, and GET / tells of those with versions. */
const FORMATS: ReadonlyMap<string, Format> = new Map<string, Format>([
  ['application/json', 'json'],
  ['application/xml', 'xml'],
  ['text/xml', 'xml'],
  ['application/vnd.openstack.identity-v2.0+json', 'json'],
  ['application/vnd.openstack.identity-v2.0+xml', 'xml'],
  ['application/vnd.openstack.identity-v3+json', 'json'],
  ['application/vnd.openstack.identity-v3+xml', 'xml'],
]);

/** The format that the Accept header asks for, JSON by default; undefined when neither is accepted. */
export function findResponseFormat(request: IncomingMessage): Format | undefined {
  // RFC 9110 s12.5.1: without a word about it, anything is accepted.
  const accept = request.headers.accept?.trim() || '*/*';
  // What nearly all clients say, which needs no weighing.
  if (accept === MEDIA_TYPES.json || accept === '*/*') return 'json';
  if (accept === MEDIA_TYPES.xml) return 'xml';
  const headers = { accept: withoutParameters(accept) };
  const accepted = new Negotiator({ headers }).mediaType([...FORMATS.keys()]);
  return accepted === undefined ? undefined : FORMATS.get(accepted);
}

/** Only q-values count: clients add `charset=utf-8`, which our types do not have. */
function withoutParameters(accept: string): string {
  return accept.replaceAll(/;\s*(?!q\s*=)[^;,]*/gi, '');
}

/** @throws HttpError 406 when neither format is accepted. */
export function getResponseFormat(request: IncomingMessage): Format {
  const format = findResponseFormat(request);
  if (format === undefined) {
    throw new HttpError(406, `Accept must allow ${MEDIA_TYPES.json} or ${MEDIA_TYPES.xml}`);
  }
  return format;
}

/**
 * The format of a request body, JSON where nothing is said.
 *
 * @throws HttpError 415 for any other type, and for a charset other than UTF-8.
 */
export function getRequestFormat(headers: IncomingHttpHeaders): Format {
  const contentType = headers['content-type'];
  if (contentType === undefined) return 'json';
  const [type = '', ...parameters] = contentType.toLowerCase().split(';');
  const format = FORMATS.get(type.trim());
  const charset = parameters
    .map((parameter) => parameter.trim())
    .find((parameter) => parameter.startsWith('charset='));
  const isUtf8 = charset === undefined || /^charset="?(utf-?8|us-ascii)"?$/.test(charset);
  if (format === undefined) {
    throw new HttpError(415, `Content-Type must be ${MEDIA_TYPES.json} or ${MEDIA_TYPES.xml}`);
  }
  if (!isUtf8) throw new HttpError(415, `the body must be UTF-8; Content-Type says ${charset}`);
  return format;
}
