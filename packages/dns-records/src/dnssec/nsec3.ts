import { readUint16 } from '../wire/octets.js';

/** How a zone hashes its names: the rdata of NSEC3PARAM, which is also the beginning of NSEC3 (RFC 5155 s3.2, s4.2). */
export interface Nsec3Parameters {
  readonly algorithm: number;
  readonly flags: number;
  readonly iterations: number;
  readonly salt: Uint8Array;
}

/** The rdata of NSEC3: the parameters, and the next hash of the chain (RFC 5155 s3.1). */
export interface Nsec3 extends Nsec3Parameters {
  readonly nextHash: Uint8Array;
}

/** The only hash algorithm there is: SHA-1 (RFC 5155 s11). */
export const NSEC3_SHA1 = 1;
/** Flag of NSEC3: names of unsigned delegations may be missing between the two hashes (RFC 5155 s3.1.2.1). */
export const NSEC3_OPT_OUT = 0x01;
/** Validators take answers with more as unsigned, or as forged (RFC 9276 s3.2). */
export const MAX_NSEC3_ITERATIONS = 100;

const SALT_OFFSET = 5;

/** Undefined if the rdata is cut off. */
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

/** Undefined if the rdata is cut off. */
export function nsec3FromWire(rdata: Uint8Array): Nsec3 | undefined {
  const parameters = nsec3ParametersFromWire(rdata);
  if (parameters === undefined) return undefined;
  const start = SALT_OFFSET + parameters.salt.length + 1;
  const end = start + (rdata[start - 1] ?? 0);
  if (rdata.length < end || end === start) return undefined;
  return { ...parameters, nextHash: rdata.subarray(start, end) };
}
