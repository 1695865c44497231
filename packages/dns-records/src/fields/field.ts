import { type Problem, RdataSyntaxError } from '../values/problem.js';
import type { Word } from './words.js';

/** Part of rdata, with its conversion between text and wire form. */
export interface Field {
  /** Name of the field in messages. */
  readonly label: string;
  /** Whether the field takes all remaining words. It must be the last one then. */
  readonly takesRest?: boolean;
  /** Whether the field is optional. It must be the last one then, and its text is empty if it is absent. */
  readonly isOptional?: boolean;
  /** Whether the field is a domain name, which may be relative in a zone file. */
  readonly isName?: boolean;
  /** Whether letters are converted to lower case when rdata is compared (RFC 4034 s6.2). */
  readonly isLowered?: boolean;
  /** Converts one word, or all remaining ones. @throws DnsSyntaxError */
  readonly toWire: (words: readonly Word[]) => Uint8Array;
  /** Returns the text of the field that begins at `at`, and the offset of its end. @throws DnsSyntaxError */
  readonly fromWire: (wire: Uint8Array, at: number) => FieldText;
  /** Rejects text that users must not write although it has a wire form. */
  readonly check?: (text: string, zoneName: string) => Problem[];
}

interface FieldText {
  readonly text: string;
  readonly end: number;
}

const NO_WORD: Word = { text: '', quoted: false };

/** Returns the word of a field that takes a single one. */
export function oneWord([word = NO_WORD]: readonly Word[]): Word {
  return word;
}

/** Returns the offset after a field of the given length. @throws RdataSyntaxError */
export function endOf(label: string, wire: Uint8Array, at: number, octets: number): number {
  const end = at + octets;
  if (end > wire.length) {
    throw new RdataSyntaxError(
      `The rdata is truncated: its ${label} takes ${octets} octets, but only ${Math.max(0, wire.length - at)} are left.`,
    );
  }
  return end;
}
