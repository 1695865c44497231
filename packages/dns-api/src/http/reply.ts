import type { LiveBody } from '@zonewright/http-api';
import { invalidRequest } from '@zonewright/service-kit';

/** Response of an operation. It can be stored and sent again (Idempotency-Key). */
export interface StoredReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Empty if there is no body, as in the response to a deletion (D-ZONE-1). */
  readonly body: string;
}

/** A response whose body is too large for memory. It is written piece by piece. */
export interface StreamedReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: AsyncIterable<string>;
}

/** A response whose body was rendered earlier, in UTF-8. */
export interface RenderedReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** A response that stays open as long as the client is connected. */
interface LiveReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: LiveBody;
}

export type ApiReply = StoredReply | StreamedReply | RenderedReply | LiveReply;

const JSON_TYPE = { 'Content-Type': 'application/json' };

export function jsonReply(
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): StoredReply {
  return jsonTextReply(JSON.stringify(body), headers);
}

/** Returns a JSON response whose body was built from pieces. */
export function jsonTextReply(
  body: string,
  headers: Readonly<Record<string, string>> = {},
): StoredReply {
  return { status: 200, headers: { ...JSON_TYPE, ...headers }, body };
}

/** Returns 200 without a body (DNS API s4, Delete). */
export function emptyReply(): StoredReply {
  return { status: 200, headers: {}, body: '' };
}

/** Returns a JSON response that was rendered earlier. */
export function renderedJsonReply(
  body: Buffer,
  headers: Readonly<Record<string, string>> = {},
): RenderedReply {
  return { status: 200, headers: { ...JSON_TYPE, ...headers }, body };
}

/** Returns a JSON response that is produced while it is sent. */
export function streamedJsonReply(
  body: AsyncIterable<string>,
  headers: Readonly<Record<string, string>> = {},
): StreamedReply {
  return { status: 200, headers: { ...JSON_TYPE, ...headers }, body };
}

/** Header with the author's reason for a change. The history stores it. */
export const NOTE_HEADER = 'X-Zonewright-Note';

/** Maximum length of a note. Each entry of a change contains it. */
const MAX_OCTETS = 255;
/** Control and format characters. They could make one line look like several, or like a different one. */
const UNSEEN = /[\p{C}\p{Zl}\p{Zp}]/u;

/**
 * Returns the note of a request in UTF-8, as curl sends it. Undefined if there is none.
 *
 * @throws ServiceError `invalid`
 */
export function readNote(header: (name: string) => string | undefined): string | undefined {
  const octets = Buffer.from(header(NOTE_HEADER) ?? '', 'latin1');
  if (octets.length === 0) return undefined;
  const note = octets.toString('utf8');
  const isUtf8 = Buffer.from(note, 'utf8').equals(octets);
  if (octets.length <= MAX_OCTETS && isUtf8 && !UNSEEN.test(note)) return note;
  const message = `The header ${NOTE_HEADER} must be one line of 1 to ${MAX_OCTETS} bytes of UTF-8 without control characters.`;
  throw invalidRequest([{ path: NOTE_HEADER, validator: 'format', message }]);
}
