import { inQuotes, RdataSyntaxError } from '../values/problem.js';
import { isDigit } from '../wire/octets.js';

const SPACE = 0x20;
const TAB = 0x09;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** Maximum length of the largest rdata (65,535 octets) when each of its octets is written as `\\DDD`. */
export const MAX_TEXT_CHARACTERS = 4 * 65_536;

/** Maximum length of the part of a text that a message repeats. */
const SHOWN_OCTETS = 1_024;

/**
 * Reads the strings of TXT and SPF data (D-REC-23): quoted strings with the escapes of RFC 1035 s5.1. If the text does
 * not begin with a quote, it is a single literal value. Characters outside ASCII become UTF-8. @throws RdataSyntaxError
 */
export function readTextStrings(data: string, type = 'TXT'): Uint8Array[] {
  requireLength(data, type);
  // In UTF-8, quotes, backslashes and digits are never part of a longer character.
  const octets = Buffer.from(data, 'utf8');
  let at = skipBlanks(octets, 0);
  if (octets[at] !== QUOTE) {
    return [octets];
  }
  const strings: Uint8Array[] = [];
  while (at < octets.length) {
    if (octets[at] !== QUOTE) {
      const rest = octets.toString('utf8', at, at + SHOWN_OCTETS);
      throw new RdataSyntaxError(
        `The ${type} value has ${inQuotes(rest)} outside quotes; put all strings in quotes, or none of them.`,
      );
    }
    const end = closingQuote(octets, at + 1, { type, data });
    strings.push(unescapeString(octets.subarray(at + 1, end), `${type} value`));
    at = skipBlanks(octets, end + 1);
  }
  return strings;
}

/** Checks the length before the text is unescaped, so that a text too long for rdata costs nothing. */
export function requireLength(data: string, type: string): void {
  if (data.length <= MAX_TEXT_CHARACTERS) return;
  throw new RdataSyntaxError(
    `The ${type} value ${inQuotes(data)} has ${data.length} characters; the maximum is ${MAX_TEXT_CHARACTERS}.`,
  );
}

/** Returns octets as a quoted string of printable ASCII (RFC 1035 s5.1). readTextStrings is the inverse. */
export function quoteString(octets: Uint8Array): string {
  let text = '';
  for (const octet of octets) {
    text += QUOTED_OCTETS[octet] ?? '';
  }
  return `"${text}"`;
}

const QUOTED_OCTETS: readonly string[] = Array.from({ length: 256 }, (_, octet) => {
  if (octet < 0x20 || octet > 0x7e) {
    return `\\${String(octet).padStart(3, '0')}`;
  }
  const character = String.fromCharCode(octet);
  return octet === QUOTE || octet === BACKSLASH ? `\\${character}` : character;
});

function skipBlanks(octets: Uint8Array, start: number): number {
  let at = start;
  while (octets[at] === SPACE || octets[at] === TAB) {
    at += 1;
  }
  return at;
}

function closingQuote(
  octets: Uint8Array,
  start: number,
  { type, data }: { readonly type: string; readonly data: string },
): number {
  let at = start;
  while (at < octets.length && octets[at] !== QUOTE) {
    at += octets[at] === BACKSLASH ? 2 : 1;
  }
  if (at >= octets.length) {
    throw new RdataSyntaxError(
      `The ${type} value ${inQuotes(data)} has an unclosed quoted string; add the closing quote, and write a quote inside the string as \\".`,
    );
  }
  return at;
}

/** Unescapes in one pass and in place: an escape is never shorter than the octet that it represents. */
export function unescapeString(text: Uint8Array, what: string): Uint8Array {
  if (!text.includes(BACKSLASH)) {
    return text;
  }
  const octets = new Uint8Array(text.length);
  let end = 0;
  for (let at = 0; at < text.length; at += 1, end += 1) {
    if (text[at] !== BACKSLASH) {
      octets[end] = text[at] ?? 0;
    } else if (isDigit(text[at + 1] ?? 0)) {
      octets[end] = decimalEscape(text, at + 1, what);
      at += 3;
    } else {
      // The escaped character represents itself. The rest of a multi-byte character follows.
      at += 1;
      octets[end] = text[at] ?? 0;
    }
  }
  return octets.subarray(0, end);
}

function decimalEscape(text: Uint8Array, at: number, what: string): number {
  let octet = 0;
  for (let digit = at; digit < at + 3; digit += 1) {
    const code = text[digit] ?? 0;
    octet = isDigit(code) ? octet * 10 + code - 0x30 : Infinity;
  }
  if (octet > 0xff) {
    const digits = Buffer.from(text.subarray(at, at + 3)).toString();
    throw new RdataSyntaxError(
      `The ${what} has the invalid escape "\\${digits}"; write three digits from 000 to 255, or \\\\ for a backslash.`,
    );
  }
  return octet;
}
