import { inQuotes, RdataSyntaxError } from '../values/problem.js';
import { unescapeString } from './quoted-strings.js';

/** Word of a record's data, with its escapes. */
export interface Word {
  readonly text: string;
  /** Whether the word was in quotes, which are not part of `text`. */
  readonly quoted: boolean;
}

/** Splits data into words as in a line of a zone file, separated by blanks and quotes. @throws RdataSyntaxError */
export function readWords(type: string, data: string): Word[] {
  const words: Word[] = [];
  for (let at = skipBlanks(data, 0); at < data.length;) {
    const quoted = data[at] === '"';
    const start = quoted ? at + 1 : at;
    const end = endOfWord(data, start, quoted);
    if (quoted && data[end] !== '"') {
      const right = 'add the closing quote, and write a quote inside the string as \\"';
      const what = `has an unclosed quoted string; ${right}`;
      throw new RdataSyntaxError(`The ${type} value ${inQuotes(data)} ${what}.`);
    }
    words.push({ text: data.slice(start, end), quoted });
    at = skipBlanks(data, quoted ? end + 1 : end);
  }
  return words;
}

/** Joins words to data, which readWords reads back. */
export function writeWords(words: readonly Word[]): string {
  return words.map(({ text, quoted }) => (quoted ? `"${text}"` : text)).join(' ');
}

/** Returns the text of an unquoted word. @throws RdataSyntaxError */
export function bareText(label: string, { text, quoted }: Word): string {
  if (quoted) {
    throw new RdataSyntaxError(`The ${label} ${inQuotes(text)} is in quotes; remove them.`);
  }
  return text;
}

/** Returns the octets of a word. Characters outside ASCII become UTF-8. @throws RdataSyntaxError */
export function wordOctets(label: string, { text }: Word): Uint8Array {
  return unescapeString(Buffer.from(text, 'utf8'), label);
}

function isBlank(character: string | undefined): boolean {
  return character === ' ' || character === '\t';
}

function skipBlanks(data: string, start: number): number {
  let at = start;
  while (isBlank(data[at])) at += 1;
  return at;
}

function endOfWord(data: string, start: number, quoted: boolean): number {
  let at = start;
  while (at < data.length && data[at] !== '"' && (quoted || !isBlank(data[at]))) {
    at += data[at] === '\\' ? 2 : 1;
  }
  return Math.min(at, data.length);
}
