import { RdataSyntaxError } from '../problems/dns-syntax-error.js';
import { inQuotes } from '../problems/in-quotes.js';
import type { Rdata, RdataCodec } from './record-type.js';
import { RECORD_TYPES } from './record-types.js';
import { SOA } from './soa.js';

/** The seven record types, and SOA, which the service writes itself and zone files hold. */
const CODECS: ReadonlyMap<string, RdataCodec> = new Map<string, RdataCodec>([
  ...Object.entries(RECORD_TYPES),
  ['SOA', SOA],
]);

/** The mnemonics that the functions of this file take. */
export const RDATA_TYPES: readonly string[] = [...CODECS.keys()];

/**
 * Rdata in uncompressed wire form. `priority` is MX's preference and SRV's priority; other types
 * do not look at it. Looser than the checks: any name of RFC 1035 is taken. Throws DnsSyntaxError.
 */
export function rdataToWire(type: string, data: string, priority: number | null): Uint8Array {
  return getCodec(type).toWire(data, priority);
}

/** The data and priority that rdataToWire makes the same octets of. Throws DnsSyntaxError. */
export function rdataFromWire(type: string, wire: Uint8Array): Rdata {
  return getCodec(type).fromWire(wire);
}

/**
 * Rdata whose octets are equal when the rdata is equal: names in lower case (RFC 4034 s6.2). For
 * comparison only; answers keep the letters as they were written (RFC 4343 s4.1).
 */
export function canonicalRdata(type: string, wire: Uint8Array): Uint8Array {
  return getCodec(type).canonical(wire);
}

function getCodec(type: string): RdataCodec {
  const codec = CODECS.get(type);
  if (codec === undefined) {
    throw new RdataSyntaxError(
      `The type ${inQuotes(type)} is not supported; use one of ${RDATA_TYPES.join(', ')}.`,
    );
  }
  return codec;
}
