import { RR_TYPE } from '../values/rr-type.js';
import { concatOctets } from '../wire/octets.js';
import { MessageSyntaxError } from './message.js';
import { readName } from './read-name.js';

/** Location of the names in the rdata of a type. */
interface NamedRdata {
  /** Number of octets before the names. */
  readonly before: number;
  /** Number of character strings after these octets and before the names. */
  readonly strings?: number;
  readonly names: number;
  /** Number of octets after the names. Undefined means any number. */
  readonly rest: number | undefined;
}

/** Obsolete types, known only because their rdata contains names. Their records are stored as octets. */
const OLD_TYPE = {
  MD: 3,
  MF: 4,
  MB: 7,
  MG: 8,
  MR: 9,
  MINFO: 14,
  RT: 21,
  SIG: 24,
  PX: 26,
  NXT: 30,
  KX: 36,
} as const;

const ONE_NAME: NamedRdata = { before: 0, names: 1, rest: 0 };
const NAME_BEHIND_NUMBER: NamedRdata = { before: 2, names: 1, rest: 0 };
const TWO_NAMES: NamedRdata = { before: 0, names: 2, rest: 0 };

/**
 * Types whose names may be compressed (RFC 1035 s3.3), and types in which a receiver must also accept compressed names
 * (RFC 3597 s4). DNAME is sent without compression (RFC 6672 s2.5), but earlier servers compressed it (RFC 2672 s4.1).
 */
const NAMES_BY_TYPE: ReadonlyMap<number, NamedRdata> = new Map<number, NamedRdata>([
  [RR_TYPE.NS, ONE_NAME],
  [OLD_TYPE.MD, ONE_NAME],
  [OLD_TYPE.MF, ONE_NAME],
  [RR_TYPE.CNAME, ONE_NAME],
  [RR_TYPE.SOA, { before: 0, names: 2, rest: 20 }],
  [OLD_TYPE.MB, ONE_NAME],
  [OLD_TYPE.MG, ONE_NAME],
  [OLD_TYPE.MR, ONE_NAME],
  [RR_TYPE.PTR, ONE_NAME],
  [OLD_TYPE.MINFO, TWO_NAMES],
  [RR_TYPE.MX, NAME_BEHIND_NUMBER],
  [RR_TYPE.RP, TWO_NAMES],
  [RR_TYPE.AFSDB, NAME_BEHIND_NUMBER],
  [OLD_TYPE.RT, NAME_BEHIND_NUMBER],
  [OLD_TYPE.SIG, { before: 18, names: 1, rest: undefined }],
  [OLD_TYPE.PX, { before: 2, names: 2, rest: 0 }],
  [OLD_TYPE.NXT, { before: 0, names: 1, rest: undefined }],
  [RR_TYPE.SRV, { before: 6, names: 1, rest: 0 }],
  [RR_TYPE.NAPTR, { before: 4, strings: 3, names: 1, rest: 0 }],
  [OLD_TYPE.KX, NAME_BEHIND_NUMBER],
  [RR_TYPE.DNAME, ONE_NAME],
]);

/**
 * Returns rdata from `start` to `end` with its names uncompressed. Empty rdata, as in deletions of UPDATE, stays empty.
 */
export function readMessageRdata(
  octets: Uint8Array,
  type: number,
  start: number,
  end: number,
): Uint8Array {
  const form = NAMES_BY_TYPE.get(type);
  if (form === undefined || start === end) return octets.slice(start, end);
  let at = skipStrings(octets, start + form.before, end, form.strings ?? 0);
  const parts = [octets.subarray(start, at)];
  for (let i = 0; i < form.names; i++) {
    const { name, end: behind } = readName(octets, at, end);
    parts.push(name);
    at = behind;
  }
  if (form.rest === undefined ? at > end : at + form.rest !== end) {
    throw new MessageSyntaxError('The length of the rdata does not match its content.');
  }
  return concatOctets([...parts, octets.subarray(at, end)]);
}

function skipStrings(octets: Uint8Array, start: number, end: number, strings: number): number {
  let at = start;
  for (let left = strings; left > 0; left--) at += 1 + (octets[at] ?? 0);
  if (at > end) throw new MessageSyntaxError('The length of the rdata does not match its content.');
  return at;
}
