import { inQuotes, NameSyntaxError } from '../values/problem.js';
import { isDigit, readDecimalEscape } from './octets.js';

/** Maximum length of a name, including length octets and the root (RFC 1035 s3.1 and s2.3.4). */
export const MAX_NAME_OCTETS = 255;
/** Maximum length of a label, without the length octet (RFC 1035 s2.3.4). */
export const MAX_LABEL_OCTETS = 63;

const DOT = 0x2e;
const BACKSLASH = 0x5c;

/**
 * Returns the uncompressed wire form (RFC 1035 s3.1) of an absolute name in master-file text, with the escapes `\X` and
 * `\DDD` of s5.1. Letter case is preserved. @throws NameSyntaxError
 */
export function nameToWire(text: string): Uint8Array {
  if (text === '.') {
    return new Uint8Array(1);
  }
  if (text === '') {
    throw new NameSyntaxError('A name must not be empty; the root is written ".".');
  }
  const name = new NameWriter(text);
  let at = 0;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (code === BACKSLASH) {
      at = copyEscape(text, at, name);
    } else {
      if (code === DOT) name.closeLabel();
      else name.push(code);
      at += 1;
    }
  }
  return name.finish();
}

function copyEscape(text: string, backslash: number, name: NameWriter): number {
  const code = text.charCodeAt(backslash + 1);
  if (!isDigit(code)) {
    name.push(code);
    return backslash + 2;
  }
  const octet = readDecimalEscape(text, backslash + 1);
  if (octet === undefined) {
    throw new NameSyntaxError(
      `The name ${inQuotes(text)} has an invalid escape; write a backslash and three digits from 000 to 255.`,
    );
  }
  name.push(octet, true);
  return backslash + 4;
}

/** Buffer for the name that is being written. Only one name is written at a time. */
const room = new Uint8Array(MAX_NAME_OCTETS);

/** Writer of a name. The length octet of each label is filled in when the label ends. */
class NameWriter {
  readonly #text: string;
  #labelStart = 0;
  #end = 1;

  constructor(text: string) {
    this.#text = text;
  }

  push(octet: number, escaped = false): void {
    if (Number.isNaN(octet)) {
      throw this.#fault('ends with a backslash that escapes nothing; remove it');
    }
    if (octet > 0x7f && !escaped) {
      throw this.#fault('is not ASCII; write its labels as A-labels ("xn--…") or octets as \\DDD');
    }
    if (this.#end - this.#labelStart > MAX_LABEL_OCTETS) {
      throw this.#fault(`has a label of more than ${MAX_LABEL_OCTETS} octets; shorten it`);
    }
    // One octet is reserved for the root label that ends every name.
    if (this.#end >= MAX_NAME_OCTETS - 1) {
      throw this.#fault(`takes more than ${MAX_NAME_OCTETS} octets on the wire; shorten it`);
    }
    room[this.#end] = octet;
    this.#end += 1;
  }

  closeLabel(): void {
    const length = this.#end - this.#labelStart - 1;
    if (length === 0) {
      throw this.#fault('has an empty label; put exactly one dot between two labels');
    }
    room[this.#labelStart] = length;
    this.#labelStart = this.#end;
    this.#end += 1;
  }

  finish(): Uint8Array {
    if (this.#end - this.#labelStart > 1) {
      throw this.#fault(
        `is relative; an absolute name ends with a dot: ${inQuotes(`${this.#text}.`)}`,
      );
    }
    room[this.#labelStart] = 0;
    return room.slice(0, this.#end);
  }

  #fault(what: string): NameSyntaxError {
    return new NameSyntaxError(`The name ${inQuotes(this.#text)} ${what}.`);
  }
}
