import Negotiator from 'negotiator';
import { Refusal } from './refusal.js';

export type Format = 'json' | 'xml';

export const MEDIA_TYPES = { json: 'application/json', xml: 'application/xml' } as const;

/** Vendors' types end as RFC 6839 has it: `application/vnd.example+xml`. */
export function formatOf(type: string): Format {
  return type.endsWith('xml') ? 'xml' : 'json';
}

/** RFC 9110 s12.5.1: without a word about it, anything is accepted. */
const ANYTHING = '*/*';

/** The one of `offered`, in their order, that an Accept header likes best; undefined when it allows none. */
export function findAcceptable(
  header: string | undefined,
  offered: readonly string[],
): string | undefined {
  const accept = header?.trim() || ANYTHING;
  // What nearly all clients say, which needs no weighing.
  if (accept === ANYTHING) return offered[0];
  if (offered.includes(accept)) return accept;
  return new Negotiator({ headers: { accept: withoutParameters(accept) } }).mediaType([...offered]);
}

/** Only q-values count: clients add `charset=utf-8`, which our types do not have. */
function withoutParameters(accept: string): string {
  return accept.replaceAll(/;\s*(?!q\s*=)[^;,]*/gi, '');
}

/** @throws Refusal 406 when none of `offered` is acceptable. */
export function requireAcceptable(header: string | undefined, offered: readonly string[]): string {
  const type = findAcceptable(header, offered);
  if (type === undefined) throw new Refusal('not-acceptable', { offered, given: header ?? '' });
  return type;
}

/**
 * The media type of a request body; undefined where nothing is said.
 *
 * @throws Refusal 415 when it is none of `accepted`.
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

/** The type without parameters, in lower case. */
function mediaType(header: string): string {
  return (header.split(';')[0] ?? '').trim().toLowerCase();
}
