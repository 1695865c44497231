import { BASIC_TYPE_NAMES } from '@zonewright/dns-records';
import { forEachInSlices } from '@zonewright/service-kit';
import type { RecordKey } from '../rows/record-store.js';
import type { LockedZone } from '../rows/zone.js';
import type { FutureNames, RuleFacts } from './future-names.js';
import { beginning, type RecordChange, served, type Violation } from './record-change.js';

/** Header (12), the longest question (259), OPT with a cookie (39) and TSIG (400) of an answer. */
const ANSWER_OVERHEAD_OCTETS = 12 + 259 + 39 + 400;
const MAX_MESSAGE_OCTETS = 65_535;
/** RRSIG records of up to three keys, with NSEC and its RRSIG records if the answer comes from a wildcard. */
const SIGNED_OVERHEAD_OCTETS = 3_000;

/**
 * Rejects records that make an RRset larger than a DNS message can hold: it could never be answered (RFC 2181 section
 * 5.2).
 */
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
  const message = `The ${after.type} records of ${JSON.stringify(after.name)} would take ${octets} octets in total; the maximum in a DNS message is ${most}. Delete some of them first.`;
  return [{ change, kind: 'invalid', problem: { path: 'data', validator: 'maxLength', message } }];
}

/** Returns the first RRset that grows beyond `most` records. Undefined if there is none. */
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
  return future.get(name)?.rrset(type) ?? { records: 0, octets: 0 };
}

/** Rejects records beside a CNAME record (RFC 1034 section 3.6.2). Records of a former primary can still be edited. */
export function checkAlias(
  { future }: Pick<RuleFacts, 'future'>,
  change: RecordChange,
): Violation[] {
  const after = beginning(change);
  const first = after && future.get(after.name)?.first;
  if (after === undefined || first === undefined || first.id === after.id) return [];
  if (first.type !== 'CNAME' && after.type !== 'CNAME') return [];
  const message =
    first.type === 'CNAME'
      ? `${JSON.stringify(after.name)} has a CNAME record, which must be the only record of its name; delete it first.`
      : `A CNAME record must be the only record of its name, but ${JSON.stringify(after.name)} has ${othersOf(first)}; delete them first.`;
  return [{ change, kind: 'invalid', problem: { path: 'name', validator: 'alone', message } }];
}

/**
 * Describes conflicting records. It includes types that some clients do not support, since such clients would not find
 * the record.
 */
function othersOf({ type }: RecordKey): string {
  return BASIC_TYPE_NAMES.includes(type)
    ? 'others'
    : `others (${type}, listed with all_types=true)`;
}

/** Maximum length of data in a message. */
const MAX_SHOWN = 255;

/** Rejects a second record of the same name, type, data and priority (D-REC-11). */
export function checkDuplicate(
  { future }: Pick<RuleFacts, 'future'>,
  change: RecordChange,
): Violation[] {
  const { after } = served(change);
  // Other rules report a second CNAME or DNAME record.
  if (after === undefined || after.type === 'CNAME' || after.type === 'DNAME') return [];
  const first =
    sizeOf(future, after).records > 1 ? future.get(after.name)?.firstOf(after) : undefined;
  if (first === undefined || first.id === after.id) return [];
  const data = after.data.length > MAX_SHOWN ? `${after.data.slice(0, MAX_SHOWN)}…` : after.data;
  const message = `The record ${after.name} ${after.type} ${data} already exists with the id ${first.id}.`;
  return [{ change, kind: 'conflict', problem: { path: 'data', validator: 'unique', message } }];
}

/**
 * Whether the changes leave different TTLs in an RRset (RFC 2181 s5.2). Nameservers answer with the lowest TTL.
 *
 * @param stored records at the names of the changes, before them
 */
export async function leavesMixedTtls(
  zone: LockedZone,
  changes: readonly RecordChange[],
  stored: readonly RecordKey[],
): Promise<boolean> {
  let isMixed = false as boolean;
  const gone = new Set<string>();
  const ttls = new Map<string, number>();
  await forEachInSlices(changes, (change) => {
    if (change.before !== undefined) gone.add(change.before.id);
    const { after } = served(change);
    if (after === undefined) return;
    const ttl = after.ttl ?? zone.ttl;
    const key = `${after.name} ${after.type}`;
    const known = ttls.get(key);
    if (known === undefined) ttls.set(key, ttl);
    else isMixed ||= known !== ttl;
  });
  if (isMixed) return true;
  return stored.some(({ id, name, type, ttl }) => {
    const known = ttls.get(`${name} ${type}`);
    return known !== undefined && !gone.has(id) && known !== (ttl ?? zone.ttl);
  });
}
