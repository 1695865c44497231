import { concatOctets } from '../wire/octets.js';
import { nameEnd } from '../wire/wire-to-name.js';
import { bitmapToTypes, typesToBitmap } from './type-bitmap.js';

/** Content of an NSEC record: the next owner name in the chain, and the types at its own name (RFC 4034 s4.1). */
export interface Nsec {
  /** Wire form. */
  readonly next: Uint8Array;
  readonly types: readonly number[];
}

export function nsecToWire({ next, types }: Nsec): Uint8Array {
  return concatOctets([next, typesToBitmap(types)]);
}

/** Throws NameSyntaxError. */
export function nsecFromWire(rdata: Uint8Array): Nsec {
  const end = nameEnd(rdata, 0);
  return { next: rdata.subarray(0, end), types: bitmapToTypes(rdata.subarray(end)) };
}
