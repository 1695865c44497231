import { type RecordChange, served } from '../changes/record-change.js';
import type { FutureNames } from './future-names.js';
import type { RuleFacts } from './rule-facts.js';
import type { Violation } from './violation.js';

/** Header (12), the longest question (259), OPT with a cookie (39) and TSIG (400) of an answer. */
const ANSWER_OVERHEAD_OCTETS = 12 + 259 + 39 + 400;
const MAX_MESSAGE_OCTETS = 65_535;
/** RRSIG records of up to three keys, with NSEC and its RRSIG records if the answer comes from a wildcard. */
const SIGNED_OVERHEAD_OCTETS = 3_000;

/** Rejects records that make an RRset larger than a DNS message can hold: it could never be answered (RFC 2181 section 5.2). */
export function checkRrsetSize(
  {
    zone,
    future,
  }: { readonly zone: { readonly signingState: unknown } } & Pick<RuleFacts, 'future'>,
  change: RecordChange,
): Violation[] {
  const { before, after } = served(change);
  if (after === undefined) return [];
  const isSameSet = before?.name === after.name && before.type === after.type;
  if (isSameSet && after.rdata.length <= before.rdata.length) return [];
  const octets = sizeOf(future, after).octets;
  const signatures = zone.signingState === null ? 0 : SIGNED_OVERHEAD_OCTETS;
  const most = MAX_MESSAGE_OCTETS - ANSWER_OVERHEAD_OCTETS - signatures;
  if (octets <= most) return [];
  const message = `the ${after.type} records of ${JSON.stringify(after.name)} would take ${octets} octets together; ${most} is the most that fits a DNS message. Remove some of them first.`;
  return [{ change, kind: 'invalid', problem: { path: 'data', validator: 'maxLength', message } }];
}

/** The first RRset that grows beyond `most` records; undefined if none does. */
export function findCrowdedRrset(
  future: FutureNames,
  changes: readonly RecordChange[],
  most: number,
): { readonly name: string; readonly type: string; readonly records: number } | undefined {
  for (const change of changes) {
    const { before, after } = served(change);
    if (after === undefined) continue;
    if (before?.name === after.name && before.type === after.type) continue;
    const { records } = sizeOf(future, after);
    if (records > Math.max(most, 1)) return { name: after.name, type: after.type, records };
  }
  return undefined;
}

function sizeOf(future: FutureNames, { name, type }: { name: string; type: string }) {
  return future.get(name)?.rrsets.get(type) ?? { records: 0, octets: 0 };
}
