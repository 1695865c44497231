import { MAX_LABEL_OCTETS } from './protocol.js';
import { readUint16 } from './octets.js';

/** Result of these functions if the message ends too early or a name is malformed. */
export const MALFORMED = -1;

const POINTER_BITS = 0xc0;

/** Octets of type, class, TTL and rdata length (RFC 1035 s4.1.3). */
export const RECORD_FIXED_OCTETS = 10;
const RDLENGTH_OFFSET = 8;

/** Octets of type and class (RFC 1035 s4.1.2). */
const QUESTION_FIXED_OCTETS = 4;

/** Returns the offset after a name. A pointer is not followed, since its target does not affect the result. */
export function skipName(message: Uint8Array, start: number, end: number): number {
  let at = start;
  while (at < end) {
    const length = message[at]!;
    if (length === 0) return at + 1;
    if (length >= POINTER_BITS) return at + 2 <= end ? at + 2 : MALFORMED;
    if (length > MAX_LABEL_OCTETS) return MALFORMED;
    at += 1 + length;
  }
  return MALFORMED;
}

export function skipQuestion(message: Uint8Array, start: number, end: number): number {
  const fixed = skipName(message, start, end);
  if (fixed === MALFORMED || fixed + QUESTION_FIXED_OCTETS > end) return MALFORMED;
  return fixed + QUESTION_FIXED_OCTETS;
}

/** Returns the offset after the record whose fixed part starts at `fixed`. */
export function skipFixedAndRdata(message: Uint8Array, fixed: number, end: number): number {
  const rdata = fixed + RECORD_FIXED_OCTETS;
  if (rdata > end) return MALFORMED;
  const next = rdata + readUint16(message, fixed + RDLENGTH_OFFSET);
  return next <= end ? next : MALFORMED;
}
