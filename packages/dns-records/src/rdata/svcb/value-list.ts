import { concatOctets } from '../../wire/octets.js';

const COMMA = 0x2c;
const BACKSLASH = 0x5c;

/** The values of a list with commas between, in which a backslash takes a comma its meaning (RFC 9460 appendix A.1). */
export function splitValues(text: Uint8Array): Uint8Array[] {
  const values: Uint8Array[] = [];
  const value = new Uint8Array(text.length);
  let length = 0;
  for (let at = 0; at < text.length; at += 1) {
    if (text[at] === COMMA) {
      values.push(value.slice(0, length));
      length = 0;
    } else {
      if (text[at] === BACKSLASH && at + 1 < text.length) at += 1;
      value[length] = text[at] ?? 0;
      length += 1;
    }
  }
  return [...values, value.slice(0, length)];
}

/** Joins values in the form that splitValues reads. */
export function joinValues(values: readonly Uint8Array[]): Uint8Array {
  return concatOctets(
    values.flatMap((value, at) => [...(at === 0 ? [] : [Uint8Array.of(COMMA)]), escaped(value)]),
  );
}

function escaped(value: Uint8Array): Uint8Array {
  return Uint8Array.from(
    [...value].flatMap((octet) =>
      octet === COMMA || octet === BACKSLASH ? [BACKSLASH, octet] : [octet],
    ),
  );
}
