import { isIPv4 } from 'node:net';
import { RdataSyntaxError } from '../problems/dns-syntax-error.js';
import { inQuotes } from '../problems/in-quotes.js';
import type { Problem } from '../problems/problem.js';
import { RR_TYPE } from '../types/rr-type.js';
import { ipv6ToOctets, octetsToIpv6 } from '../wire/ipv6-text.js';
import { dataProblem } from './data-problem.js';
import type { RecordType } from './record-type.js';

const RULE = 'write one in any text form of RFC 4291, without a zone id, such as "2001:db8::1"';

/** An IPv6 address (RFC 3596 s2.2). */
export const AAAA: RecordType = {
  number: RR_TYPE.AAAA,
  needsPriority: false,
  checkData,
  target: () => null,
  toWire,
  fromWire,
  canonical: (wire) => wire,
};

function checkData(data: string): Problem[] {
  if (isIPv4(data)) {
    return [dataProblem(data, 'is an IPv4 address; use the type A, or write an IPv6 address')];
  }
  if (ipv6ToOctets(data) === undefined) {
    return [dataProblem(data, `is not an IPv6 address; ${RULE}`)];
  }
  return [];
}

function toWire(data: string): Uint8Array {
  const octets = ipv6ToOctets(data);
  if (octets === undefined) {
    throw new RdataSyntaxError(`AAAA data ${inQuotes(data)} is not an IPv6 address; ${RULE}.`);
  }
  return octets;
}

function fromWire(wire: Uint8Array): { data: string; priority: null } {
  if (wire.length !== 16) {
    throw new RdataSyntaxError(`AAAA rdata has ${wire.length} octets; it must have 16.`);
  }
  return { data: octetsToIpv6(wire), priority: null };
}
