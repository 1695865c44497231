import { inQuotes, RdataSyntaxError } from '../values/problem.js';
import { endOf, type Field, oneWord } from './field.js';
import { bareText, type Word } from './words.js';

/** All remaining octets, at least one, in hexadecimal. Blanks between the digits are allowed. */
export function hexToEnd(label: string): Field {
  return {
    label,
    takesRest: true,
    toWire: (words) => hexToOctets(label, joined(label, words)),
    fromWire: (wire, at) => octetsToEnd(label, wire, at, 'hex'),
  };
}

/** All remaining octets, at least one, in base64 (RFC 4648 s4). Blanks between the characters are allowed. */
export function base64ToEnd(label: string): Field {
  return {
    label,
    takesRest: true,
    toWire: (words) => base64ToOctets(label, joined(label, words)),
    fromWire: (wire, at) => octetsToEnd(label, wire, at, 'base64'),
  };
}

/** Field with a fixed number of octets, written as pairs of digits separated by hyphens (RFC 7043 s3.2, s4.2). */
export function hyphenatedHex(label: string, octets: number): Field {
  const form = new RegExp(`^[0-9a-f]{2}(?:-[0-9a-f]{2}){${octets - 1}}$`, 'i');
  return {
    label,
    toWire: (words) => {
      const text = bareText(label, oneWord(words));
      if (!form.test(text)) {
        const right = Array.from({ length: octets }, (_, at) => `0${at}`).join('-');
        throw new RdataSyntaxError(
          `The ${label} ${inQuotes(text)} is not ${octets} pairs of hexadecimal digits separated by hyphens, such as ${right}.`,
        );
      }
      return Buffer.from(text.replaceAll('-', ''), 'hex');
    },
    fromWire: (wire, at) => {
      const end = endOf(label, wire, at, octets);
      const pairs = Array.from(wire.subarray(at, end), (octet) =>
        octet.toString(16).padStart(2, '0'),
      );
      return { text: pairs.join('-'), end };
    },
  };
}

/** @throws RdataSyntaxError unless the text is exactly base64 */
export function base64ToOctets(label: string, text: string): Uint8Array {
  const octets = Buffer.from(text, 'base64');
  // Node.js skips characters that are not base64. If the octets encode to another text, the input was not base64.
  if (text === '' || octets.toString('base64') !== text) {
    throw new RdataSyntaxError(
      `The ${label} ${inQuotes(text)} is not base64; write groups of four of the characters A-Z, a-z, 0-9, + and /, and pad the last group with =.`,
    );
  }
  return octets;
}

function hexToOctets(label: string, text: string): Uint8Array {
  if (text.length % 2 !== 0 || !/^[0-9a-f]+$/i.test(text)) {
    throw new RdataSyntaxError(
      `The ${label} ${inQuotes(text)} is not hexadecimal; write two digits (0-9, a-f) for each octet.`,
    );
  }
  return Buffer.from(text, 'hex');
}

function joined(label: string, words: readonly Word[]): string {
  return words.map((word) => bareText(label, word)).join('');
}

function octetsToEnd(label: string, wire: Uint8Array, at: number, encoding: 'hex' | 'base64') {
  if (at >= wire.length) {
    throw new RdataSyntaxError(`The rdata ends before its ${label}.`);
  }
  return { text: Buffer.from(wire.subarray(at)).toString(encoding), end: wire.length };
}
