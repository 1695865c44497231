import { RdataSyntaxError } from '../problems/dns-syntax-error.js';
import { lowerCaseOctets } from '../wire/lower-case.js';
import { nameToWire } from '../wire/name-to-wire.js';
import { nameEnd, wireToName } from '../wire/wire-to-name.js';
import type { Rdata, RdataCodec } from './record-type.js';

/** The codec of types whose rdata is one name: NS and CNAME (RFC 1035 s3.3.11, s3.3.1). */
export function singleNameCodec(type: string, number: number): RdataCodec {
  return {
    number,
    toWire: nameToWire,
    fromWire: (wire) => nameFromWire(type, wire),
    canonical: lowerCaseOctets,
  };
}

function nameFromWire(type: string, wire: Uint8Array): Rdata {
  requireEnd(type, wire, nameEnd(wire, 0));
  return { data: wireToName(wire), priority: null };
}

/** Throws RdataSyntaxError unless the last field extends to the end of the rdata. */
export function requireEnd(type: string, wire: Uint8Array, end: number): void {
  if (end !== wire.length) {
    throw new RdataSyntaxError(
      `${type} rdata has ${wire.length} octets, but its fields take ${end}.`,
    );
  }
}
