import { inQuotes, type Problem, RdataSyntaxError } from '../values/problem.js';
import { canonicalOwnerName } from '../names/owner-names.js';
import { RR_TYPE } from '../values/rr-type.js';
import { concatOctets, lowerCaseOctets, readUint16, uint16sToOctets } from '../wire/octets.js';
import { nameToWire } from '../wire/name-to-wire.js';
import { nameEnd, wireToName } from '../wire/wire-to-name.js';
import { dataProblem } from '../fields/checked-data.js';
import { isUint16Text, requirePriority, splitFields } from '../fields/numbers.js';
import type { Rdata, RecordType } from '../fields/record-type.js';
import { checkTargetName, requireEnd } from '../fields/names.js';

const EXCHANGE_OFFSET = 2;

/** Mail exchange. Its preference is the record's priority (RFC 1035 s3.3.9). */
export const MX: RecordType = {
  number: RR_TYPE.MX,
  needsPriority: true,
  checkData,
  target: (data) => (data === '.' ? null : canonicalOwnerName(data)),
  toWire,
  fromWire,
  canonical: (wire) => lowerCaseOctets(wire, EXCHANGE_OFFSET),
};

function checkData(data: string, zoneName: string): Problem[] {
  const [preference = '', exchange, ...rest] = splitFields(data);
  if (isUint16Text(preference) && exchange !== undefined && rest.length === 0) {
    const what = `has two values; write ${inQuotes(exchange)} here and ${preference} in priority`;
    return [dataProblem(data, what)];
  }
  // "." means that the domain accepts no mail (RFC 7505).
  return data === '.' ? [] : checkTargetName(data, zoneName);
}

function toWire(data: string, priority: number | null): Uint8Array {
  return concatOctets([uint16sToOctets(requirePriority('MX', priority)), nameToWire(data)]);
}

function fromWire(wire: Uint8Array): Rdata {
  if (wire.length <= EXCHANGE_OFFSET) {
    throw new RdataSyntaxError(
      'The MX rdata is truncated; it must contain a preference and a name.',
    );
  }
  requireEnd('MX', wire, nameEnd(wire, EXCHANGE_OFFSET));
  return { data: wireToName(wire, EXCHANGE_OFFSET), priority: readUint16(wire, 0) };
}
