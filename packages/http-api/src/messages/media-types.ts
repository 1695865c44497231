import Negotiator from 'negotiator';
import { Refusal } from './refusal.js';

export type Format = 'json' | 'xml';

export const MEDIA_TYPES = { json: 'application/json', xml: 'application/xml' } as const;

/** Vendor types end with the suffix of their format (RFC 6839): `application/vnd.example+xml`. */
export function formatOf(type: string): Format {
  return type.endsWith('xml') ? 'xml' : 'json';
}

/** Value of a missing Accept header: the client accepts everything (RFC 9110 s12.5.1). */
const ANYTHING = '*/*';

/** Returns the first member of `offered` that an Accept header prefers. Undefined if it allows none. */
export function findAcceptable(
  header: string | undefined,
  offered: readonly string[],
): string | undefined {
  const accept = header?.trim() || ANYTHING;
  // Fast path for the value that nearly all clients send.
  if (accept === ANYTHING) return offered[0];
  if (offered.includes(accept)) return accept;
  return new Negotiator({ headers: { accept: withoutParameters(accept) } }).mediaType([...offered]);
}

/** Drops all parameters except q-values: clients add `charset=utf-8`, which the offered types do not have. */
function withoutParameters(accept: string): string {
  return accept.replaceAll(/;\s*(?!q\s*=)[^;,]*/gi, '');
}

/** @throws Refusal 406 if none of `offered` is acceptable. */
export function requireAcceptable(header: string | undefined, offered: readonly string[]): string {
  const type = findAcceptable(header, offered);
  if (type === undefined) throw new Refusal('not-acceptable', { offered, given: header ?? '' });
  return type;
}

/**
 * Returns the media type of a request body. Undefined if it is not given.
 *
 * @throws Refusal 415 if it is not in `accepted`.
 */
export function readContentType(
  header: string | undefined,
  accepted: readonly string[],
): string | undefined {
  if (header === undefined) return undefined;
  const type = mediaType(header);
  if (accepted.includes(type)) return type;
  throw new Refusal('unsupported-type', { offered: accepted, given: header });
}

/** @throws Refusal 415 for a charset other than UTF-8. */
export function requireUtf8Charset(header = ''): void {
  const charset = header
    .toLowerCase()
    .split(';')
    .slice(1)
    .map((parameter) => parameter.trim())
    .find((parameter) => parameter.startsWith('charset='));
  if (charset === undefined || /^charset="?(utf-?8|us-ascii)"?$/.test(charset)) return;
  throw new Refusal('unsupported-charset', { given: charset });
}

/** Returns the type without parameters, in lower case. */
function mediaType(header: string): string {
  return (header.split(';')[0] ?? '').trim().toLowerCase();
}
