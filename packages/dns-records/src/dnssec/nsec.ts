import { concatOctets, readUint16 } from '../wire/octets.js';
import { nameEnd } from '../wire/wire-to-name.js';

/** Content of an NSEC record: the next owner name in the chain, and the types at its own name (RFC 4034 s4.1). */
export interface Nsec {
  /** Next name in wire form. */
  readonly next: Uint8Array;
  readonly types: readonly number[];
}

export function nsecToWire({ next, types }: Nsec): Uint8Array {
  return concatOctets([next, typesToBitmap(types)]);
}

/** @throws NameSyntaxError */
export function nsecFromWire(rdata: Uint8Array): Nsec {
  const end = nameEnd(rdata, 0);
  return { next: rdata.subarray(0, end), types: bitmapToTypes(rdata.subarray(end)) };
}

/**
 * Parameters of a zone's name hashes: the rdata of NSEC3PARAM, which is also the beginning of NSEC3 (RFC 5155 s3.2,
 * s4.2).
 */
export interface Nsec3Parameters {
  readonly algorithm: number;
  readonly flags: number;
  readonly iterations: number;
  readonly salt: Uint8Array;
}

/** Rdata of NSEC3: the parameters, and the next hash of the chain (RFC 5155 s3.1). */
export interface Nsec3 extends Nsec3Parameters {
  readonly nextHash: Uint8Array;
}

/** SHA-1, the only hash algorithm that is defined (RFC 5155 s11). */
export const NSEC3_SHA1 = 1;
/** Flag of NSEC3: the zone may have unsigned delegations between the two hashes (RFC 5155 s3.1.2.1). */
export const NSEC3_OPT_OUT = 0x01;
/** Maximum number of iterations. With more, validators treat answers as unsigned or bogus (RFC 9276 s3.2). */
export const MAX_NSEC3_ITERATIONS = 100;

const SALT_OFFSET = 5;

/** Returns undefined if the rdata is truncated. */
export function nsec3ParametersFromWire(rdata: Uint8Array): Nsec3Parameters | undefined {
  const saltEnd = SALT_OFFSET + (rdata[SALT_OFFSET - 1] ?? 0);
  if (rdata.length < SALT_OFFSET || rdata.length < saltEnd) return undefined;
  return {
    algorithm: rdata[0]!,
    flags: rdata[1]!,
    iterations: readUint16(rdata, 2),
    salt: rdata.subarray(SALT_OFFSET, saltEnd),
  };
}

/** Returns undefined if the rdata is truncated. */
export function nsec3FromWire(rdata: Uint8Array): Nsec3 | undefined {
  const parameters = nsec3ParametersFromWire(rdata);
  if (parameters === undefined) return undefined;
  const start = SALT_OFFSET + parameters.salt.length + 1;
  const end = start + (rdata[start - 1] ?? 0);
  if (rdata.length < end || end === start) return undefined;
  return { ...parameters, nextHash: rdata.subarray(start, end) };
}

const WINDOW_TYPES = 256;

/** Encodes types as NSEC lists them: windows of up to 32 octets without trailing zeros (RFC 4034 s4.1.2). */
function typesToBitmap(types: Iterable<number>): Uint8Array {
  const windows = new Map<number, Uint8Array>();
  for (const type of types) {
    const window = Math.floor(type / WINDOW_TYPES);
    const bit = type % WINDOW_TYPES;
    const octets = windows.get(window) ?? new Uint8Array(WINDOW_TYPES / 8);
    octets[bit >> 3]! |= 0x80 >> (bit & 7);
    windows.set(window, octets);
  }
  const sorted = [...windows].sort(([a], [b]) => a - b);
  return concatOctets(
    sorted.map(([window, octets]) => {
      const length = octets.findLastIndex((octet) => octet !== 0) + 1;
      return Uint8Array.of(window, length, ...octets.subarray(0, length));
    }),
  );
}

/** Returns the types of a bitmap that extends to the end of the rdata, in ascending order. */
export function bitmapToTypes(bitmap: Uint8Array): number[] {
  const types: number[] = [];
  for (let at = 0; at + 1 < bitmap.length; at += 2 + bitmap[at + 1]!) {
    const octets = bitmap.subarray(at + 2, at + 2 + bitmap[at + 1]!);
    const first = bitmap[at]! * WINDOW_TYPES;
    for (let bit = 0; bit < octets.length * 8; bit += 1) {
      if ((octets[bit >> 3]! & (0x80 >> (bit & 7))) !== 0) types.push(first + bit);
    }
  }
  return types;
}
