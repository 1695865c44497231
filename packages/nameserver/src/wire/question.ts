import { type LookupName, readLookupName } from './lookup-name.js';
import { MALFORMED } from './skip-record.js';

/** Type and class behind the name (RFC 1035 s4.1.2). */
const FIXED_OCTETS = 4;

/**
 * Reads the question's name; type and class are the four octets before the offset returned. MALFORMED for a compressed
 * name too: there is nothing before it that it could point to.
 */
export function readQuestion(
  name: LookupName,
  query: Uint8Array,
  start: number,
  end: number,
): number {
  const fixed = readLookupName(name, query, start, end);
  return fixed === MALFORMED || fixed + FIXED_OCTETS > end ? MALFORMED : fixed + FIXED_OCTETS;
}
