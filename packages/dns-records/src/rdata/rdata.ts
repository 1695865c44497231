import { inQuotes, RdataSyntaxError } from '../values/problem.js';
import type { Rdata, RdataCodec } from '../fields/record-type.js';
import { findRecordType, RECORD_TYPES, whyNotWritable } from './record-types.js';
import { SOA } from './soa.js';

const NAMES = Object.keys(RECORD_TYPES);

/**
 * Whether the functions of this file support a type: types that users may create, and SOA, which the service writes and
 * zone files contain.
 */
export function hasRdataCodec(type: string): boolean {
  return findCodec(type) !== undefined;
}

function findCodec(type: string): RdataCodec | undefined {
  return type === 'SOA' ? SOA : findRecordType(type);
}

/**
 * Returns rdata in uncompressed wire form. `priority` is the preference of MX and the priority of SRV; other types
 * ignore it. Any name of RFC 1035 is accepted, unlike in the checks. @throws DnsSyntaxError
 */
export function rdataToWire(type: string, data: string, priority: number | null): Uint8Array {
  return getCodec(type).toWire(data, priority);
}

/** Returns the data and priority of rdata in wire form, the inverse of rdataToWire. @throws DnsSyntaxError */
export function rdataFromWire(type: string, wire: Uint8Array): Rdata {
  return getCodec(type).fromWire(wire);
}

/**
 * Returns canonical rdata: names are in lower case (RFC 4034 s6.2), so equal rdata has equal octets. It is used only
 * for comparison; responses preserve the letter case (RFC 4343 s4.1).
 */
export function canonicalRdata(type: string, wire: Uint8Array): Uint8Array {
  return getCodec(type).canonical(wire);
}

/** @throws RdataSyntaxError */
export function getCodec(type: string): RdataCodec {
  const codec = findCodec(type);
  if (codec === undefined)
    throw new RdataSyntaxError(`The type ${inQuotes(type)} ${whyNotWritable(type, NAMES)}.`);
  return codec;
}
