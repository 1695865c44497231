import { invalidRequest } from '@zonewright/service-kit';

/** Why something is changed, as its author says: kept in the history. */
export const NOTE_HEADER = 'X-Zonewright-Note';

/** Maximum length of a note. Each entry of a change contains it. */
const MAX_OCTETS = 255;
/** Control and format characters, which would make one line look like several, or like another. */
const UNSEEN = /[\p{C}\p{Zl}\p{Zp}]/u;

/**
 * The note of a request: UTF-8, as curl sends what is typed; undefined where there is none.
 *
 * @throws ServiceError `invalid`.
 */
export function readNote(header: (name: string) => string | undefined): string | undefined {
  const octets = Buffer.from(header(NOTE_HEADER) ?? '', 'latin1');
  if (octets.length === 0) return undefined;
  const note = octets.toString('utf8');
  const isUtf8 = Buffer.from(note, 'utf8').equals(octets);
  if (octets.length <= MAX_OCTETS && isUtf8 && !UNSEEN.test(note)) return note;
  const message = `The header ${NOTE_HEADER} must be a line of 1 to ${MAX_OCTETS} octets of UTF-8 without control characters.`;
  throw invalidRequest([{ path: NOTE_HEADER, validator: 'format', message }]);
}
