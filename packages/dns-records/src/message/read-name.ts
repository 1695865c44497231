import { MAX_LABEL_OCTETS, MAX_NAME_OCTETS } from '../wire/name-to-wire.js';
import { concatOctets, readUint16 } from '../wire/octets.js';
import { MessageSyntaxError } from './message.js';

const POINTER_BITS = 0xc0;
/** Maximum number of labels in a name: 127 labels of one octet, and the root. */
const MAX_LABELS = 127;
/** Maximum number of pointers, so that a chain of bare pointers costs no more than a name. */
const MAX_POINTERS = MAX_LABELS;

interface NameRead {
  readonly name: Uint8Array;
  /** Offset after the name, or after its first pointer. */
  readonly end: number;
}

/**
 * Reads the name at `start`, uncompressed (RFC 1035 s4.1.4). A pointer must refer to an offset before this part of the
 * name, so a chain cannot loop.
 */
export function readName(octets: Uint8Array, start: number, limit = octets.length): NameRead {
  const labels: Uint8Array[] = [];
  const { end, next: first } = readPart(octets, start, limit, labels);
  for (let from = start, next = first, pointers = 1; next !== undefined; pointers++) {
    if (next >= from || pointers > MAX_POINTERS)
      throw new MessageSyntaxError(
        'A compressed name has a pointer that does not point back, or too many pointers.',
      );
    from = next;
    ({ next } = readPart(octets, from, octets.length, labels));
  }
  const name = concatOctets([...labels, new Uint8Array(1)]);
  if (name.length > MAX_NAME_OCTETS) throw tooLong();
  return { name, end };
}

interface Part {
  /** Offset after the root or the pointer that ends this part. */
  readonly end: number;
  /** Offset that the pointer refers to. */
  readonly next: number | undefined;
}

/** Adds the labels from `start` on, up to the root or a pointer. */
function readPart(octets: Uint8Array, start: number, limit: number, labels: Uint8Array[]): Part {
  for (let at = start; at < limit;) {
    const octet = octets[at] ?? 0;
    if (octet === 0) return { end: at + 1, next: undefined };
    if (octet >= POINTER_BITS) {
      if (at + 2 > limit) break;
      return { end: at + 2, next: readUint16(octets, at) & 0x3fff };
    }
    if (octet > MAX_LABEL_OCTETS) throw new MessageSyntaxError('A label has an unknown type.');
    if (labels.length === MAX_LABELS) throw tooLong();
    labels.push(octets.subarray(at, at + 1 + octet));
    at += 1 + octet;
  }
  throw new MessageSyntaxError('A name has no end.');
}

function tooLong(): MessageSyntaxError {
  return new MessageSyntaxError(`A name is longer than ${MAX_NAME_OCTETS} octets.`);
}
