import { inQuotes, RdataSyntaxError } from '../values/problem.js';
import { checkLength, checkText } from '../fields/checked-data.js';
import { parseUint16 } from '../fields/numbers.js';
import { readWords } from '../fields/words.js';
import { requireLength } from '../fields/quoted-strings.js';
import type { RecordType } from '../fields/record-type.js';

/** Type by its number, with opaque rdata: `\# 4 0a000001` (RFC 3597 s5). */
export function genericType(number: number): RecordType {
  const type = `TYPE${number}`;
  const toWire = (data: string) => {
    requireLength(data, type);
    const [sign, ...rest] = readWords(type, data);
    if (sign?.text !== '\\#' || sign.quoted || rest.length === 0) {
      const right =
        'write \\#, the number of octets, and the octets in hexadecimal, such as "\\# 2 0a0b"';
      throw new RdataSyntaxError(
        `The ${type} value ${inQuotes(data)} is not generic rdata; ${right}.`,
      );
    }
    return readGenericRdata(rest);
  };
  return {
    number,
    needsPriority: false,
    nameFields: [],
    checkData: (data) => checkText(data, () => checkLength(data, toWire(data))),
    target: () => null,
    toWire,
    fromWire: (wire) => ({ data: genericText(wire), priority: null }),
    canonical: (wire) => wire,
  };
}

/**
 * Reads the words after `\#`: the length in octets, and the octets in hexadecimal. Blanks are allowed anywhere (RFC
 * 3597 s5).
 */
export function readGenericRdata(words: readonly { readonly text: string }[]): Uint8Array {
  const [length = '', ...digits] = words.map(({ text }) => text);
  const hex = digits.join('');
  const octets = parseUint16('rdata length', length);
  if (!/^[0-9a-f]*$/i.test(hex) || hex.length !== 2 * octets) {
    throw new RdataSyntaxError(
      `"\\# ${octets}" is followed by ${hex.length} characters; write ${2 * octets} hexadecimal digits.`,
    );
  }
  return new Uint8Array(Buffer.from(hex, 'hex'));
}

function genericText(wire: Uint8Array): string {
  const hex = Buffer.from(wire).toString('hex');
  return wire.length === 0 ? '\\# 0' : `\\# ${wire.length} ${hex}`;
}
