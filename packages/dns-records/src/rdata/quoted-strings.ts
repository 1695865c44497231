import { RdataSyntaxError } from '../dns-syntax-error.js';
import { inQuotes } from '../in-quotes.js';
import { isDigit, readDecimalEscape } from '../wire/decimal-escape.js';
import { concatOctets } from '../wire/octets.js';

const UTF_8 = new TextEncoder();

/**
 * The strings that TXT data stands for (decisions 3): quoted strings with the escapes of RFC 1035
 * s5.1, or one value, taken literally, when the text does not begin with a quote. Characters
 * outside ASCII become UTF-8. Throws RdataSyntaxError.
 */
export function readTextStrings(data: string): Uint8Array[] {
  let at = skipBlanks(data, 0);
  if (data[at] !== '"') {
    return [UTF_8.encode(data)];
  }
  const strings: Uint8Array[] = [];
  while (at < data.length) {
    if (data[at] !== '"') {
      throw new RdataSyntaxError(
        `TXT data has ${inQuotes(data.slice(at))} outside quotes; put each string in quotes, or none.`,
      );
    }
    const end = closingQuote(data, at + 1);
    strings.push(unescapeString(data.slice(at + 1, end)));
    at = skipBlanks(data, end + 1);
  }
  return strings;
}

/** Octets as a quoted string of printable ASCII (RFC 1035 s5.1); readTextStrings undoes it. */
export function quoteString(octets: Uint8Array): string {
  let text = '';
  for (const octet of octets) {
    text += quotedOctet(octet);
  }
  return `"${text}"`;
}

function quotedOctet(octet: number): string {
  if (octet < 0x20 || octet > 0x7e) {
    return `\\${String(octet).padStart(3, '0')}`;
  }
  const character = String.fromCharCode(octet);
  return character === '"' || character === '\\' ? `\\${character}` : character;
}

function skipBlanks(text: string, start: number): number {
  let at = start;
  while (text[at] === ' ' || text[at] === '\t') {
    at += 1;
  }
  return at;
}

function closingQuote(data: string, start: number): number {
  let at = start;
  while (at < data.length && data[at] !== '"') {
    at += data[at] === '\\' ? 2 : 1;
  }
  if (at >= data.length) {
    throw new RdataSyntaxError(
      `TXT data ${inQuotes(data)} has a quoted string that does not end; close it with a quote, and write a quote inside it as \\".`,
    );
  }
  return at;
}

function unescapeString(text: string): Uint8Array {
  const parts: Uint8Array[] = [];
  let at = 0;
  for (let escape = text.indexOf('\\'); escape !== -1; escape = text.indexOf('\\', at)) {
    parts.push(UTF_8.encode(text.slice(at, escape)));
    if (isDigit(text.charCodeAt(escape + 1))) {
      parts.push(Uint8Array.of(decimalEscape(text, escape + 1)));
      at = escape + 4;
    } else {
      // The escaped character, whatever it is, stands for itself: copied here, so that a backslash
      // is not taken for the start of another escape.
      const character = String.fromCodePoint(text.codePointAt(escape + 1) ?? 0);
      parts.push(UTF_8.encode(character));
      at = escape + 1 + character.length;
    }
  }
  parts.push(UTF_8.encode(text.slice(at)));
  return concatOctets(parts);
}

function decimalEscape(text: string, at: number): number {
  const octet = readDecimalEscape(text, at);
  if (octet === undefined) {
    throw new RdataSyntaxError(
      `TXT data has the bad escape "\\${text.slice(at, at + 3)}"; write three digits from 000 to 255, or \\\\ for a backslash.`,
    );
  }
  return octet;
}
