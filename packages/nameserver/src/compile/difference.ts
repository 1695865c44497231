import { RR_TYPE } from '@zonewright/dns-records';
import { BlockNodes, NO_POSITION } from './block-nodes.js';
import { copyRecord, type PlacedRecord, recordsAt, soaOf, soaSerialOf } from './block-records.js';
import type { Interruptible } from '../image/steps.js';

/** Changes of a zone between two versions: one difference sequence of an IXFR (RFC 1995 s4). */
export interface Difference {
  readonly from: number;
  readonly to: number;
  /** Each list starts with an SOA. */
  readonly removed: readonly PlacedRecord[];
  readonly added: readonly PlacedRecord[];
  /** Approximate size in memory. */
  readonly octets: number;
}

/** Octets of an object and its buffer. */
const RECORD_OVERHEAD = 250;

/**
 * Returns the differences between two versions. Records are equal if all octets are, including the TTL. @param names
 * names without the apex that may differ; undefined if all may
 */
export function* findDifference(
  from: Uint8Array,
  to: Uint8Array,
  names: Iterable<string> | undefined,
): Interruptible<Difference> {
  const before = new BlockNodes(from);
  const after = new BlockNodes(to);
  const removed = [copyRecord(soaOf(before))];
  const added = [copyRecord(soaOf(after))];
  for (const name of names ?? (yield* listNames(before, after))) {
    const old = recordsOf(before, name);
    const now = recordsOf(after, name);
    for (const [key, record] of old) if (!now.has(key)) removed.push(record);
    for (const [key, record] of now) if (!old.has(key)) added.push(record);
  }
  let octets = 0;
  for (const record of [...removed, ...added]) octets += record.octets.length + RECORD_OVERHEAD;
  const serials = { from: soaSerialOf(from) ?? 0, to: soaSerialOf(to) ?? 0 };
  return { ...serials, removed, added, octets };
}

/** Returns the names whose nodes differ in any octet. */
function* listNames(before: BlockNodes, after: BlockNodes): Interruptible<Set<string>> {
  const names = new Set<string>();
  yield* before.visitAll((node) => {
    const name = before.nameOf(node);
    const position = after.find(name);
    if (position === NO_POSITION || !isSame(before, node, after, after.nodeAt(position))) {
      names.add(name);
    }
  });
  yield* after.visitAll((node) => {
    const name = after.nameOf(node);
    if (!before.has(name)) names.add(name);
  });
  return names;
}

function isSame(one: BlockNodes, node: number, other: BlockNodes, otherNode: number): boolean {
  const { octets } = one.measure(node);
  if (octets !== other.measure(otherNode).octets) return false;
  const otherEnd = otherNode + octets;
  return one.octets.compare(other.octets, otherNode, otherEnd, node, node + octets) === 0;
}

function recordsOf(block: BlockNodes, name: string): Map<string, PlacedRecord> {
  const records = new Map<string, PlacedRecord>();
  const position = block.find(name);
  if (position === NO_POSITION) return records;
  for (const placed of recordsAt(block, block.nodeAt(position))) {
    if (placed.type === RR_TYPE.SOA && name === '') continue;
    const record = copyRecord(placed);
    const rdata = Buffer.from(record.octets.buffer, record.rdataStart).toString('latin1');
    records.set(`${record.type} ${record.ttl} ${rdata}`, record);
  }
  return records;
}
