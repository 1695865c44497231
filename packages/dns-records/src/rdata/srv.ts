import { inQuotes, type Problem, RdataSyntaxError } from '../values/problem.js';
import { canonicalOwnerName } from '../names/owner-names.js';
import { RR_TYPE } from '../values/rr-type.js';
import { concatOctets, lowerCaseOctets, readUint16, uint16sToOctets } from '../wire/octets.js';
import { nameToWire } from '../wire/name-to-wire.js';
import { nameEnd, wireToName } from '../wire/wire-to-name.js';
import { dataProblem } from '../fields/checked-data.js';
import { isUint16Text, parseUint16, requirePriority, splitFields } from '../fields/numbers.js';
import type { Rdata, RecordType } from '../fields/record-type.js';
import { checkTargetName, requireEnd } from '../fields/names.js';

const TARGET_OFFSET = 6;

/** Location of a service: `weight port target` and a priority (RFC 2782). */
export const SRV: RecordType = {
  number: RR_TYPE.SRV,
  needsPriority: true,
  checkData,
  target,
  toWire,
  fromWire,
  canonical: (wire) => lowerCaseOctets(wire, TARGET_OFFSET),
};

function checkData(data: string, zoneName: string): Problem[] {
  const fields = splitFields(data);
  const [weight = '', port = '', name = ''] = fields;
  if (fields.length === 4 && fields.slice(0, 3).every(isUint16Text)) {
    const right = inQuotes(fields.slice(1).join(' '));
    return [dataProblem(data, `has four values; write ${right} here and ${weight} in priority`)];
  }
  if (fields.length !== 3) {
    return [
      dataProblem(
        data,
        'is not "weight port target."; write for example "5 5060 sip.example.com."',
      ),
    ];
  }
  return [
    ...checkNumber(data, 'weight', weight),
    ...checkNumber(data, 'port', port),
    // The target "." means that the service is not available here (RFC 2782).
    ...(name === '.' ? [] : checkTargetName(name, zoneName)),
  ];
}

function checkNumber(data: string, field: string, text: string): Problem[] {
  const what = `has the ${field} ${inQuotes(text)}; write a number from 0 to 65535`;
  return isUint16Text(text) ? [] : [dataProblem(data, what)];
}

function target(data: string): string | null {
  const name = splitFields(data)[2];
  return name === undefined || name === '.' ? null : canonicalOwnerName(name);
}

function toWire(data: string, priority: number | null): Uint8Array {
  const fields = splitFields(data);
  const [weight = '', port = '', name = ''] = fields;
  if (fields.length !== 3) {
    throw new RdataSyntaxError(`The SRV value ${inQuotes(data)} is not "weight port target.".`);
  }
  const numbers = uint16sToOctets(
    requirePriority('SRV', priority),
    parseUint16('weight', weight),
    parseUint16('port', port),
  );
  return concatOctets([numbers, nameToWire(name)]);
}

function fromWire(wire: Uint8Array): Rdata {
  if (wire.length <= TARGET_OFFSET) {
    throw new RdataSyntaxError(
      'The SRV rdata is truncated; it must contain three numbers and a name.',
    );
  }
  requireEnd('SRV', wire, nameEnd(wire, TARGET_OFFSET));
  const [priority, weight, port] = [0, 2, 4].map((at) => readUint16(wire, at));
  return {
    data: `${weight ?? 0} ${port ?? 0} ${wireToName(wire, TARGET_OFFSET)}`,
    priority: priority ?? 0,
  };
}
