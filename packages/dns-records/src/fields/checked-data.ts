import {
  DnsSyntaxError,
  hasUnstorableCharacter,
  inQuotes,
  type Problem,
  type Validator,
} from '../values/problem.js';

/**
 * Maximum length of rdata, so that it fits into a zone transfer message of 65,535 octets. The message also contains the
 * header (12), the longest question (259), the longest owner name (255) and the fixed part of the record (10). The
 * nameserver also reserves 700 for OPT and TSIG.
 */
const MAX_RDATA_OCTETS = 65_535 - 12 - 259 - 255 - 10 - 700;

/** Checks that `data` can be stored, and returns the problems of `check` or the DnsSyntaxError that it throws. */
export function checkText(data: string, check: () => Problem[]): Problem[] {
  if (hasUnstorableCharacter(data)) {
    const what =
      'contains a NUL or an unpaired surrogate; write such octets as \\DDD in a quoted string';
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

/** Checks that the rdata of `data` fits into a DNS message. */
export function checkLength(data: string, { length }: Uint8Array): Problem[] {
  if (length <= MAX_RDATA_OCTETS) return [];
  const what = `takes ${length} octets; the maximum in a DNS message is ${MAX_RDATA_OCTETS}`;
  return [dataProblem(data, what, 'maxLength')];
}

/** Returns a problem with a record's `data`. `what` continues the sentence with advice. */
export function dataProblem(data: string, what: string, validator: Validator = 'format'): Problem {
  return { path: 'data', validator, message: `data ${inQuotes(data)} ${what}.` };
}
