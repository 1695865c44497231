import { RR_TYPE, typeMnemonic, wireToName } from '@zonewright/dns-records';
import { NODE_FLAG } from '../image/layout.js';
import { NODES_PER_YIELD, type Interruptible } from '../image/steps.js';
import { LookupName, setLookupName } from '../wire/lookup-name.js';
import { hasWellFormedNames } from '../wire/rdata-names.js';
import {
  addToRrset,
  compareRrsets,
  coveredType,
  newRrset,
  removeDuplicates,
  type Rrset,
} from './rrset.js';

/** A record of a zone, with uncompressed names in any case. */
export interface ZoneRecord {
  readonly owner: Uint8Array;
  readonly type: number;
  readonly ttl: number;
  readonly rdata: Uint8Array;
}

/** All records of a zone in any order, with SOA and NS of the apex and, in a signed zone, NSEC and RRSIG. */
export interface ZoneContent {
  readonly apex: Uint8Array;
  readonly serial: number;
  /** Whether the zone is signed. It is rejected if signatures or denial are incomplete (check-signatures.ts). */
  readonly isSigned?: boolean | undefined;
  /** Whether the primary has signed the zone. The SOA then has the primary's serial. */
  readonly isForeign?: boolean | undefined;
  readonly records: Iterable<ZoneRecord>;
  /** Whether the zone has no data and no SOA, so that all names are answered with SERVFAIL. */
  readonly isWithheld?: boolean;
}

/** An owner name or empty non-terminal of a zone that is being compiled. */
export interface ZoneNode {
  /** The lower-case wire form without the apex, as a latin1 string; '' is the apex. */
  readonly name: string;
  /** Hash of the whole name (lookup-name.ts). */
  readonly hash: number;
  flags: number;
  readonly rrsets: Rrset[];
}

/** Nodes of a zone by name, the apex first. */
export type ZoneTree = ReadonlyMap<string, ZoneNode>;

export const WILDCARD_LABEL = '\x01*';

/**
 * Groups the records by owner and sets the flags that depend on other names.
 * @throws Error if an owner is outside of the zone
 */
export function* buildZoneTree(apex: LookupName, content: ZoneContent): Interruptible<ZoneTree> {
  const nodes = new Map<string, ZoneNode>();
  const owner = new LookupName();
  let node = addNodeAndAncestors(nodes, apex, apex);
  let nodeOwner = content.apex;
  let done = 0;
  for (const record of content.records) {
    // Records usually arrive grouped by owner, so this saves most lookups.
    if (!isEqual(nodeOwner, record.owner)) {
      setLookupName(owner, record.owner);
      node = addNodeAndAncestors(nodes, owner, apex);
      nodeOwner = record.owner;
    }
    addRecord(node, record);
    if (++done % NODES_PER_YIELD === 0) yield;
  }
  yield* markWildcards(nodes);
  yield* markCuts(nodes);
  return nodes;
}

/** Adds a node and its ancestors. Ancestors without records are empty non-terminals (RFC 4592 s2.2.2). */
function addNodeAndAncestors(
  nodes: Map<string, ZoneNode>,
  owner: LookupName,
  apex: LookupName,
): ZoneNode {
  const relative = relativeName(owner, apex);
  for (let ancestor = owner.labels - apex.labels; ancestor >= 0; ancestor--) {
    const name = relative.slice(owner.starts[ancestor]);
    if (nodes.has(name)) continue;
    nodes.set(name, { name, hash: owner.hashes[ancestor]!, flags: 0, rrsets: [] });
  }
  return nodes.get(relative)!;
}

/**
 * Returns the lower-case wire form without the apex.
 * @throws Error if the owner is outside of the zone
 */
export function relativeName(owner: LookupName, apex: LookupName): string {
  const apexStart = owner.length - apex.length;
  const lower = Buffer.from(owner.lower.buffer, 0, owner.length);
  const apexLower = apex.lower.subarray(0, apex.length);
  const isInZone =
    owner.starts[owner.labels - apex.labels] === apexStart &&
    lower.subarray(apexStart).equals(apexLower);
  if (!isInZone) {
    throw new Error(`${wireToName(lower)} is not in the zone ${wireToName(apexLower)}`);
  }
  return lower.toString('latin1', 0, apexStart);
}

export function addRecord(node: ZoneNode, record: ZoneRecord): void {
  if (!hasWellFormedNames(record.type, record.rdata)) {
    throw new Error(`Invalid ${typeMnemonic(record.type)} rdata at ${wireToName(record.owner)}`);
  }
  const covers = coveredType(record.type, record.rdata);
  let rrset = findRrsetOfNode(node, record.type, covers);
  if (rrset === undefined) {
    rrset = newRrset(record.type, covers);
    node.rrsets.push(rrset);
  }
  addToRrset(rrset, record.ttl, record.rdata);
}

export function findRrsetOfNode(node: ZoneNode, type: number, covers = 0): Rrset | undefined {
  return node.rrsets.find((rrset) => rrset.type === type && rrset.covers === covers);
}

export function isEqual(a: Uint8Array, b: Uint8Array): boolean {
  return a === b || Buffer.compare(a, b) === 0;
}

/**
 * Sorts RRsets by type, so that an answer to ANY over UDP does not depend on the order of loading. A signed RRset has
 * the TTL that was signed (RFC 4034 s3.1.4), even if the signer has yet to sign it with another TTL of the zone.
 */
export function finishRrsets(node: ZoneNode): void {
  for (const rrset of node.rrsets) removeDuplicates(rrset);
  node.rrsets.sort(compareRrsets);
  for (const [at, { covers, ttl }] of node.rrsets.entries()) {
    const signed = node.rrsets[at - 1];
    if (covers !== 0 && signed?.type === covers) signed.ttl = ttl;
  }
}

/** Returns the parent of a name that is not the apex. */
export function parentName(name: string): string {
  return name.slice(1 + name.charCodeAt(0));
}

export function isWildcard(name: string): boolean {
  return name.startsWith(WILDCARD_LABEL);
}

function* markWildcards(nodes: ZoneTree): Interruptible<void> {
  let done = 0;
  for (const { name } of nodes.values()) {
    if (isWildcard(name)) nodes.get(parentName(name))!.flags |= NODE_FLAG.WILDCARD_CHILD;
    if (++done % NODES_PER_YIELD === 0) yield;
  }
}

function* markCuts(nodes: ZoneTree): Interruptible<void> {
  let hidesNames = false;
  let done = 0;
  for (const node of nodes.values()) {
    if (++done % NODES_PER_YIELD === 0) yield;
    const flags = hidingFlags(node);
    node.flags |= flags;
    hidesNames ||= flags !== 0;
  }
  if (!hidesNames) return;
  for (const node of nodes.values()) {
    if (isBelowCut(nodes, node.name)) node.flags |= NODE_FLAG.BELOW_CUT;
    if (++done % NODES_PER_YIELD === 0) yield;
  }
}

/** A node with one of these hides all names below it. */
export const HIDING_FLAGS = NODE_FLAG.CUT | NODE_FLAG.DNAME;

/**
 * Returns CUT, DNAME or both. RFC 4592 s4.2 and s4.4 leave NS and DNAME at a wildcard undefined; here they are ordinary
 * data and neither delegate nor substitute.
 */
export function hidingFlags(node: ZoneNode): number {
  if (isWildcard(node.name)) return 0;
  const isCut = node.name !== '' && findRrsetOfNode(node, RR_TYPE.NS) !== undefined;
  const hasDname = findRrsetOfNode(node, RR_TYPE.DNAME) !== undefined;
  return (isCut ? NODE_FLAG.CUT : 0) | (hasDname ? NODE_FLAG.DNAME : 0);
}

function isBelowCut(nodes: ZoneTree, name: string): boolean {
  let ancestor = name;
  while (ancestor !== '') {
    ancestor = parentName(ancestor);
    if ((nodes.get(ancestor)!.flags & HIDING_FLAGS) !== 0) return true;
  }
  return false;
}
