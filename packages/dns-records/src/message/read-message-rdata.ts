import { RR_TYPE } from '../types/rr-type.js';
import { concatOctets } from '../wire/octets.js';
import { MessageSyntaxError } from './message-syntax-error.js';
import { readName } from './read-name.js';

/**
 * Where names stand in the rdata of types in which they may be compressed, and what a receiver takes compressed besides
 * (RFC 1035 s3.3, RFC 3597 s4): octets before them, how many, whether anything follows.
 */
const NAMES_BY_TYPE: ReadonlyMap<number, { before: number; names: number; rest: number }> = new Map(
  [
    [RR_TYPE.NS, { before: 0, names: 1, rest: 0 }],
    [RR_TYPE.CNAME, { before: 0, names: 1, rest: 0 }],
    [RR_TYPE.PTR, { before: 0, names: 1, rest: 0 }],
    [RR_TYPE.SOA, { before: 0, names: 2, rest: 20 }],
    [RR_TYPE.MX, { before: 2, names: 1, rest: 0 }],
    [RR_TYPE.RP, { before: 0, names: 2, rest: 0 }],
    [RR_TYPE.AFSDB, { before: 2, names: 1, rest: 0 }],
    [RR_TYPE.SRV, { before: 6, names: 1, rest: 0 }],
  ],
);

/** The rdata from `start` to `end`, its names uncompressed. Empty rdata, as deletions in UPDATE have, stays empty. */
export function readMessageRdata(
  octets: Uint8Array,
  type: number,
  start: number,
  end: number,
): Uint8Array {
  const form = NAMES_BY_TYPE.get(type);
  if (form === undefined || start === end) return octets.slice(start, end);
  let at = start + form.before;
  const parts = [octets.subarray(start, at)];
  for (let i = 0; i < form.names; i++) {
    const { name, end: behind } = readName(octets, at, end);
    parts.push(name);
    at = behind;
  }
  if (at + form.rest !== end) throw new MessageSyntaxError('Rdata is not as long as it says.');
  return concatOctets([...parts, octets.subarray(at, end)]);
}
