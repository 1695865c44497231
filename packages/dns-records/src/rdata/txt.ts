import { type Problem, RdataSyntaxError } from '../values/problem.js';
import { RR_TYPE } from '../values/rr-type.js';
import { characterStringsToWire, wireToCharacterStrings } from '../wire/character-strings.js';
import { checkLength, checkText, dataProblem } from '../fields/checked-data.js';
import { quoteString, readTextStrings } from '../fields/quoted-strings.js';
import type { Rdata, RecordType } from '../fields/record-type.js';

/** One or more strings of octets (RFC 1035 s3.3.14). */
export const TXT: RecordType = textType('TXT');

/** The form is the same as for TXT, which replaced SPF (RFC 7208 s3.1). Files of old zones still contain both. */
export const SPF: RecordType = textType('SPF');

function textType(type: 'TXT' | 'SPF'): RecordType {
  return {
    number: RR_TYPE[type],
    needsPriority: false,
    checkData: (data) => checkData(type, data),
    target: () => null,
    toWire: (data) => toWire(type, data),
    fromWire,
    canonical: (wire) => wire,
  };
}

function checkData(type: string, data: string): Problem[] {
  if (data === '') {
    return [dataProblem(data, 'is empty; write the text, or "\\"\\"" for an empty string')];
  }
  return checkText(data, () => checkLength(data, toWire(type, data)));
}

function toWire(type: string, data: string): Uint8Array {
  if (data === '') {
    throw new RdataSyntaxError(`The ${type} value is empty; write "\\"\\"" for an empty string.`);
  }
  return characterStringsToWire(readTextStrings(data, type));
}

function fromWire(wire: Uint8Array): Rdata {
  return { data: wireToCharacterStrings(wire).map(quoteString).join(' '), priority: null };
}
