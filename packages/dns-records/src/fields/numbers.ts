import { inQuotes, RdataSyntaxError } from '../values/problem.js';
import { readUint16, uint16sToOctets } from '../wire/octets.js';
import { endOf, type Field, oneWord } from './field.js';
import { bareText } from './words.js';

type Mnemonics = ReadonlyMap<string, number>;

/** Number of one octet. Mnemonics are read, but not written. */
export function uint8(label: string, mnemonics?: Mnemonics): Field {
  return {
    label,
    toWire: (words) =>
      Uint8Array.of(readNumber(label, bareText(label, oneWord(words)), 0xff, mnemonics)),
    fromWire: (wire, at) => {
      const end = endOf(label, wire, at, 1);
      return { text: String(wire[at]), end };
    },
  };
}

/** Number of two octets. */
export function uint16(label: string, mnemonics?: Mnemonics): Field {
  return {
    label,
    toWire: (words) =>
      uint16sToOctets(readNumber(label, bareText(label, oneWord(words)), 0xffff, mnemonics)),
    fromWire: (wire, at) => {
      const end = endOf(label, wire, at, 2);
      return { text: String(readUint16(wire, at)), end };
    },
  };
}

function readNumber(label: string, text: string, max: number, mnemonics?: Mnemonics): number {
  return mnemonics?.get(text.toUpperCase()) ?? parseUint16(label, text, max);
}

const MAX_UINT16 = 0xffff;

/** Whether the text is a decimal number from 0 to 65535, without a sign or blanks. */
export function isUint16Text(text: string): boolean {
  return /^\d{1,5}$/.test(text) && Number(text) <= MAX_UINT16;
}

/** @throws RdataSyntaxError unless the text is a decimal number from 0 to `max` */
export function parseUint16(field: string, text: string, max = MAX_UINT16): number {
  if (!isUint16Text(text) || Number(text) > max) {
    throw new RdataSyntaxError(
      `The ${field} ${inQuotes(text)} is not a number; write one from 0 to ${max}.`,
    );
  }
  return Number(text);
}

/** @throws RdataSyntaxError unless there is a priority from 0 to 65535, which MX and SRV require */
export function requirePriority(type: string, priority: number | null): number {
  if (priority === null || !isUint16(priority)) {
    throw new RdataSyntaxError(
      `${type} needs a priority from 0 to ${MAX_UINT16}, not ${String(priority)}.`,
    );
  }
  return priority;
}

/** Whether a value is an integer from 0 to 65535. */
function isUint16(value: unknown): value is number {
  return Number.isInteger(value) && Number(value) >= 0 && Number(value) <= MAX_UINT16;
}

/** Splits data into fields that are separated by blanks (space, tab). */
export function splitFields(data: string): string[] {
  return data.split(/[ \t]+/).filter((field) => field !== '');
}
