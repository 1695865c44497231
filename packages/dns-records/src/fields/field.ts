import { type Problem, RdataSyntaxError } from '../values/problem.js';
import type { Word } from './words.js';

/** One part of rdata: how it is written and read as text and on the wire. */
export interface Field {
  /** Name of the field in messages. */
  readonly label: string;
  /** Whether it takes all remaining words. Such a field is the last one. */
  readonly takesRest?: boolean;
  /** Whether it may be absent. Such a field is the last one, and its text is empty if it is absent. */
  readonly isOptional?: boolean;
  /** Whether it is a domain name, which may be relative in a zone file. */
  readonly isName?: boolean;
  /** Whether its letters count as lower case when rdata is compared (RFC 4034 s6.2). */
  readonly isLowered?: boolean;
  /** Converts one word, or all that are left. Throws DnsSyntaxError. */
  readonly toWire: (words: readonly Word[]) => Uint8Array;
  /** Text of the field that begins at `at`, and the offset of its end. Throws DnsSyntaxError. */
  readonly fromWire: (wire: Uint8Array, at: number) => FieldText;
  /** Checks text that users must not write although it has a wire form. */
  readonly check?: (text: string, zoneName: string) => Problem[];
}

interface FieldText {
  readonly text: string;
  readonly end: number;
}

const NO_WORD: Word = { text: '', quoted: false };

/** The word of a field that takes one. */
export function oneWord([word = NO_WORD]: readonly Word[]): Word {
  return word;
}

/** Offset after a field of the given length. Throws RdataSyntaxError. */
export function endOf(label: string, wire: Uint8Array, at: number, octets: number): number {
  const end = at + octets;
  if (end > wire.length) {
    throw new RdataSyntaxError(
      `The rdata is cut short: its ${label} takes ${octets} octets, and ${Math.max(0, wire.length - at)} are left.`,
    );
  }
  return end;
}
