import { isIPv6 } from 'node:net';
import { dataProblem } from '../fields/checked-data.js';
import type { RecordType } from '../fields/record-type.js';
import { inQuotes, type Problem, RdataSyntaxError } from '../values/problem.js';
import { RR_TYPE } from '../values/rr-type.js';
import { ipv4ToOctets, ipv6ToOctets, octetsToIpv6 } from '../wire/address-text.js';

const A_RULE =
  'write four numbers from 0 to 255, separated by dots and without leading zeros, such as "192.0.2.1"';

/** IPv4 address (RFC 1035 s3.4.1). */
export const A: RecordType = {
  number: RR_TYPE.A,
  needsPriority: false,
  checkData: checkIpv4,
  target: () => null,
  toWire: ipv4ToWire,
  fromWire: (wire) => ({ data: ipv4Text(wire), priority: null }),
  canonical: (wire) => wire,
};

function checkIpv4(data: string): Problem[] {
  if (ipv4ToOctets(data) === undefined) {
    const what = isIPv6(data)
      ? 'is an IPv6 address; use the type AAAA, or write an IPv4 address'
      : `is not an IPv4 address; ${A_RULE}`;
    return [dataProblem(data, what)];
  }
  if (data === '0.0.0.0') {
    return [
      dataProblem(
        data,
        'is not the address of a host; write the address to which the name should resolve',
      ),
    ];
  }
  return [];
}

function ipv4ToWire(data: string): Uint8Array {
  const octets = ipv4ToOctets(data);
  if (octets === undefined) {
    throw new RdataSyntaxError(`The value ${inQuotes(data)} is not an IPv4 address; ${A_RULE}.`);
  }
  return octets;
}

function ipv4Text(wire: Uint8Array): string {
  if (wire.length !== 4) {
    throw new RdataSyntaxError(`The A rdata has ${wire.length} octets; it must have 4.`);
  }
  return wire.join('.');
}

const AAAA_RULE =
  'write one in any text form of RFC 4291, without a zone id, such as "2001:db8::1"';

/** IPv6 address (RFC 3596 s2.2). */
export const AAAA: RecordType = {
  number: RR_TYPE.AAAA,
  needsPriority: false,
  checkData: checkIpv6,
  target: () => null,
  toWire: ipv6ToWire,
  fromWire: ipv6FromWire,
  canonical: (wire) => wire,
};

function checkIpv6(data: string): Problem[] {
  if (ipv6ToOctets(data) !== undefined) return [];
  const what =
    ipv4ToOctets(data) === undefined
      ? `is not an IPv6 address; ${AAAA_RULE}`
      : 'is an IPv4 address; use the type A, or write an IPv6 address';
  return [dataProblem(data, what)];
}

function ipv6ToWire(data: string): Uint8Array {
  const octets = ipv6ToOctets(data);
  if (octets === undefined) {
    throw new RdataSyntaxError(`The value ${inQuotes(data)} is not an IPv6 address; ${AAAA_RULE}.`);
  }
  return octets;
}

function ipv6FromWire(wire: Uint8Array): { data: string; priority: null } {
  if (wire.length !== 16) {
    throw new RdataSyntaxError(`The AAAA rdata has ${wire.length} octets; it must have 16.`);
  }
  return { data: octetsToIpv6(wire), priority: null };
}
