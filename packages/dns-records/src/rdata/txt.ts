import { DnsSyntaxError, RdataSyntaxError } from '../problems/dns-syntax-error.js';
import type { Problem } from '../problems/problem.js';
import { hasUnstorableCharacter } from '../problems/unstorable-character.js';
import { RR_TYPE } from '../types/rr-type.js';
import { characterStringsToWire, wireToCharacterStrings } from '../wire/character-strings.js';
import { dataProblem } from './data-problem.js';
import { quoteString, readTextStrings } from './quoted-strings.js';
import type { Rdata, RecordType } from './record-type.js';

/**
 * The most that fits a 65,535-octet message with its header (12), the longest question (259), the
 * answer's fixed part (12, its owner compressed) and an OPT record with a cookie (11 + 28).
 */
const MAX_RDATA_OCTETS = 65_535 - 12 - 259 - 12 - 39;

/** One or more strings of octets (RFC 1035 s3.3.14). */
export const TXT: RecordType = {
  number: RR_TYPE.TXT,
  needsPriority: false,
  checkData,
  target: () => null,
  toWire,
  fromWire,
  canonical: (wire) => wire,
};

function checkData(data: string): Problem[] {
  if (data === '') {
    return [dataProblem(data, 'is empty; write the text, or "\\"\\"" for an empty string')];
  }
  if (hasUnstorableCharacter(data)) {
    const what =
      'holds a NUL or half a surrogate pair; write such octets as \\DDD in a quoted string';
    return [dataProblem(data, what)];
  }
  return checkStrings(data);
}

function checkStrings(data: string): Problem[] {
  try {
    const octets = toWire(data).length;
    const what = `takes ${octets} octets; ${MAX_RDATA_OCTETS} is the most that fits a DNS message`;
    return octets > MAX_RDATA_OCTETS ? [dataProblem(data, what, 'maxLength')] : [];
  } catch (error) {
    if (!(error instanceof DnsSyntaxError)) {
      throw error;
    }
    return [{ path: 'data', validator: 'format', message: error.message }];
  }
}

function toWire(data: string): Uint8Array {
  if (data === '') {
    throw new RdataSyntaxError('TXT data is empty; write "\\"\\"" for an empty string.');
  }
  return characterStringsToWire(readTextStrings(data));
}

function fromWire(wire: Uint8Array): Rdata {
  return { data: wireToCharacterStrings(wire).map(quoteString).join(' '), priority: null };
}
