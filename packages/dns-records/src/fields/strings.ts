import { inQuotes, RdataSyntaxError } from '../values/problem.js';
import { concatOctets } from '../wire/octets.js';
import { quoteString } from './quoted-strings.js';
import { endOf, type Field, oneWord } from './field.js';
import { bareText, wordOctets } from './words.js';

const MAX_OCTETS = 255;

/** Character string of at most 255 octets (RFC 1035 s3.3). */
export function characterString(label: string): Field {
  return {
    label,
    toWire: (words) => withLength(label, wordOctets(label, oneWord(words))),
    fromWire: (wire, at) => {
      const { octets, end } = readCounted(label, wire, at);
      return { text: quoteString(octets), end };
    },
  };
}

/** String that extends to the end of the rdata. */
export function stringToEnd(label: string): Field {
  return {
    label,
    toWire: (words) => wordOctets(label, oneWord(words)),
    fromWire: (wire, at) => ({ text: quoteString(wire.subarray(at)), end: wire.length }),
  };
}

/** Word of letters and digits with its length (RFC 8659 s4.1). */
export function tag(label: string): Field {
  return {
    label,
    toWire: (words) => {
      const text = bareText(label, oneWord(words));
      requireTag(label, text);
      return withLength(label, Buffer.from(text));
    },
    fromWire: (wire, at) => {
      const { octets, end } = readCounted(label, wire, at);
      const text = Buffer.from(octets).toString('latin1');
      requireTag(label, text);
      return { text, end };
    },
  };
}

function requireTag(label: string, text: string): void {
  if (/^[A-Za-z0-9]+$/.test(text)) return;
  throw new RdataSyntaxError(
    `The ${label} ${inQuotes(text)} is not valid; use letters and digits, for example issue, issuewild or iodef.`,
  );
}

function withLength(label: string, octets: Uint8Array): Uint8Array {
  if (octets.length > MAX_OCTETS) {
    throw new RdataSyntaxError(
      `The ${label} has ${octets.length} octets; the maximum is ${MAX_OCTETS}.`,
    );
  }
  return concatOctets([Uint8Array.of(octets.length), octets]);
}

function readCounted(label: string, wire: Uint8Array, at: number) {
  const start = endOf(label, wire, at, 1);
  const end = endOf(label, wire, start, wire[at] ?? 0);
  return { octets: wire.subarray(start, end), end };
}
