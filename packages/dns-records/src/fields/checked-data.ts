import { DnsSyntaxError } from '../problems/dns-syntax-error.js';
import type { Problem } from '../problems/problem.js';
import { hasUnstorableCharacter } from '../problems/unstorable-character.js';
import { dataProblem } from './data-problem.js';

/**
 * The most that fits a 65,535-octet message with its header (12), the longest question (259), the
 * answer's fixed part (12, its owner compressed) and an OPT record with a cookie (11 + 28).
 */
const MAX_RDATA_OCTETS = 65_535 - 12 - 259 - 12 - 39;

/** What keeps `data` from being stored, and what `check` says of it or throws as a DnsSyntaxError. */
export function checkText(data: string, check: () => Problem[]): Problem[] {
  if (hasUnstorableCharacter(data)) {
    const what =
      'holds a NUL or half a surrogate pair; write such octets as \\DDD in a quoted string';
    return [dataProblem(data, what)];
  }
  try {
    return check();
  } catch (error) {
    if (!(error instanceof DnsSyntaxError)) {
      throw error;
    }
    return [{ path: 'data', validator: 'format', message: error.message }];
  }
}

/** What keeps the rdata that `data` stands for from being answered. */
export function checkLength(data: string, { length }: Uint8Array): Problem[] {
  if (length <= MAX_RDATA_OCTETS) return [];
  const what = `takes ${length} octets; ${MAX_RDATA_OCTETS} is the most that fits a DNS message`;
  return [dataProblem(data, what, 'maxLength')];
}
