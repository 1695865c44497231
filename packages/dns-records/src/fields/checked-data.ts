import { DnsSyntaxError } from '../problems/dns-syntax-error.js';
import type { Problem } from '../problems/problem.js';
import { hasUnstorableCharacter } from '../problems/unstorable-character.js';
import { dataProblem } from './data-problem.js';

/**
 * Maximum length of rdata, from its dearest use: a message of a zone transfer of 65,535 octets, with the header (12), the longest
 * question (259), the longest owner name (255) and fixed part (10) of the record, and what the nameserver reserves for OPT and
 * TSIG (700).
 */
const MAX_RDATA_OCTETS = 65_535 - 12 - 259 - 255 - 10 - 700;

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
