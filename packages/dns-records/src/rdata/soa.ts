import { requireEnd } from '../fields/names.js';
import { splitFields } from '../fields/numbers.js';
import type { Rdata, RdataCodec } from '../fields/record-type.js';
import { emailToMailboxName } from '../names/name-rules.js';
import { parseSeconds } from '../values/numbers.js';
import { inQuotes, RdataSyntaxError } from '../values/problem.js';
import { RR_TYPE } from '../values/rr-type.js';
import { nameToWire } from '../wire/name-to-wire.js';
import { concatOctets, lowerCaseOctets, readUint32, uint32sToOctets } from '../wire/octets.js';
import { nameEnd, wireToName } from '../wire/wire-to-name.js';

const NUMBER_FIELDS = ['serial', 'refresh', 'retry', 'expire', 'minimum'] as const;
const NUMBERS_OCTETS = 4 * NUMBER_FIELDS.length;
const MAX_UINT32 = 0xffff_ffff;

/** Start of a zone of authority: `mname rname serial refresh retry expire minimum` (RFC 1035 s3.3.13). */
export const SOA: RdataCodec = {
  number: RR_TYPE.SOA,
  toWire,
  fromWire,
  canonical: (wire) => lowerCaseOctets(wire, 0, Math.max(0, wire.length - NUMBERS_OCTETS)),
};

function toWire(data: string): Uint8Array {
  const [mname = '', rname = '', ...numbers] = splitFields(data);
  if (numbers.length !== NUMBER_FIELDS.length) {
    throw new RdataSyntaxError(
      `The SOA value ${inQuotes(data)} must be "mname rname ${NUMBER_FIELDS.join(' ')}".`,
    );
  }
  const values = NUMBER_FIELDS.map((field, index) => parseNumber(field, numbers[index] ?? ''));
  return concatOctets([nameToWire(mname), nameToWire(rname), uint32sToOctets(...values)]);
}

/** Parses a number. Times may have units, as in zone files ("4h"). A serial with a unit is an error. */
function parseNumber(field: (typeof NUMBER_FIELDS)[number], text: string): number {
  const value = field === 'serial' && !/^\d+$/.test(text) ? undefined : parseSeconds(text);
  if (value === undefined || value > MAX_UINT32) {
    throw new RdataSyntaxError(
      `The SOA's ${field} ${inQuotes(text)} is not a number; write one from 0 to ${MAX_UINT32}.`,
    );
  }
  return value;
}

function fromWire(wire: Uint8Array): Rdata {
  const mnameEnd = nameEnd(wire, 0);
  const rnameEnd = nameEnd(wire, mnameEnd);
  requireEnd('SOA', wire, rnameEnd + NUMBERS_OCTETS);
  const numbers = NUMBER_FIELDS.map((_, index) => readUint32(wire, rnameEnd + 4 * index));
  const fields = [wireToName(wire, 0), wireToName(wire, mnameEnd), ...numbers];
  return { data: fields.join(' '), priority: null };
}

/** Returns serial, refresh, retry, expire and minimum of valid SOA rdata. */
export function numbersOfSoa(rdata: Uint8Array): readonly number[] {
  const start = rdata.length - NUMBERS_OCTETS;
  return NUMBER_FIELDS.map((_, index) => readUint32(rdata, start + 4 * index));
}

/** Reads the serial of valid SOA rdata without reading the names before it. */
export function serialOfSoa(rdata: Uint8Array): number {
  return readUint32(rdata, rdata.length - NUMBERS_OCTETS);
}

/** Values of the managed records at the apex of a zone. */
export interface ApexContent {
  readonly email: string;
  readonly serial: number;
  /** Nameservers in order. The first one is MNAME. */
  readonly servers: readonly string[];
  readonly soa: {
    readonly refreshSeconds: number;
    readonly retrySeconds: number;
    readonly expireSeconds: number;
    readonly minimumSeconds: number;
  };
}

/** Name that means "no primary". RFC 1035 has no notation for it; other servers use the root. */
const NO_SERVER = '.';

/** Returns SOA, and NS for each server (D-NS), as text. */
export function apexRecords({
  email,
  serial,
  servers,
  soa,
}: ApexContent): { type: 'SOA' | 'NS'; data: string }[] {
  const fields = [
    servers[0] ?? NO_SERVER,
    emailToMailboxName(email),
    serial,
    soa.refreshSeconds,
    soa.retrySeconds,
    soa.expireSeconds,
    soa.minimumSeconds,
  ];
  return [
    { type: 'SOA', data: fields.join(' ') },
    ...servers.map((name) => ({ type: 'NS' as const, data: name })),
  ];
}
