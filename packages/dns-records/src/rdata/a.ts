import { isIPv4, isIPv6 } from 'node:net';
import { RdataSyntaxError } from '../problems/dns-syntax-error.js';
import { inQuotes } from '../problems/in-quotes.js';
import type { Problem } from '../problems/problem.js';
import { RR_TYPE } from '../types/rr-type.js';
import { dataProblem } from '../fields/data-problem.js';
import type { RecordType } from '../fields/record-type.js';

const RULE =
  'write four numbers from 0 to 255 with dots between and no leading zeros, such as "192.0.2.1"';

/** An IPv4 address (RFC 1035 s3.4.1). */
export const A: RecordType = {
  number: RR_TYPE.A,
  needsPriority: false,
  checkData,
  target: () => null,
  toWire,
  fromWire: (wire) => ({ data: ipv4Text(wire), priority: null }),
  canonical: (wire) => wire,
};

function checkData(data: string): Problem[] {
  if (isIPv6(data)) {
    return [dataProblem(data, 'is an IPv6 address; use the type AAAA, or write an IPv4 address')];
  }
  if (!isIPv4(data)) {
    return [dataProblem(data, `is not an IPv4 address; ${RULE}`)];
  }
  if (data === '0.0.0.0') {
    return [
      dataProblem(
        data,
        'is not the address of a host; write the address that the name should lead to',
      ),
    ];
  }
  return [];
}

function toWire(data: string): Uint8Array {
  // node:net takes the canonical dotted quad only: not "1.2.3", "0x7f.1" or "192.0.2.01".
  if (!isIPv4(data)) {
    throw new RdataSyntaxError(`A data ${inQuotes(data)} is not an IPv4 address; ${RULE}.`);
  }
  return Uint8Array.from(data.split('.'), Number);
}

function ipv4Text(wire: Uint8Array): string {
  if (wire.length !== 4) {
    throw new RdataSyntaxError(`A rdata has ${wire.length} octets; it must have 4.`);
  }
  return wire.join('.');
}
