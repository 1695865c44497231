import { readUint16, uint16sToOctets } from '../wire/octets.js';
import { parseUint16 } from './plain-numbers.js';
import { endOf, type Field, oneWord } from './field.js';
import { bareText } from './words.js';

type Mnemonics = ReadonlyMap<string, number>;

/** A number of one octet; some have mnemonics, which are read and not written. */
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

/** A number of two octets. */
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
