import { RR_TYPE, wireToName } from '@zonewright/dns-records';
import { canonicalKey, type CanonicalKey } from '@zonewright/dns-records/dnssec';
import { NOT_FOUND } from '../image/directory.js';
import { ORDER_BY_HASH, ORDER_ENTRY, ORDER_WORD, PROOF_WORD, ZONE_WORD } from '../image/layout.js';
import { NODES_PER_YIELD, type Interruptible } from '../image/steps.js';
import { findRrset, firstRdata } from '../image/zone-block.js';
import { orderedNames, orderedNode, PREFIX_OCTETS, toSortable } from '../image/zone-order.js';
import { lowerCase } from '../wire/lookup-name.js';
import { prefixOfDigestLabel } from '../wire/name-digest.js';
import type { BlockNodes } from './block-nodes.js';
import { apexOf, recordsAt } from './block-records.js';
import type { HashedDenial } from './hashed-denial.js';
import type { ZoneTree } from './zone-tree.js';

/** The names of a signed zone with NSEC, in canonical order, or with NSEC3, in the order of their hashes. */
export interface ZoneOrder {
  readonly names: readonly string[];
  /** Time at which the first signature expires. */
  readonly expiration: number;
  /** Undefined if the zone uses NSEC. */
  readonly hashed?: HashedDenial | undefined;
}

export interface OrderChange {
  /** Position in the previous order. */
  readonly place: number;
  /** Number of names that are removed there, 0 or 1. */
  readonly gone: number;
  /** Name that is added, or whose node is new. Undefined if there is none. */
  readonly name: string | undefined;
}

/** Returns the key of a name without its apex. */
export function keyOf(name: string): CanonicalKey {
  return canonicalKey(Buffer.from(name, 'latin1'), NO_APEX);
}

const NO_APEX = new Uint8Array(0);

/** Sorts in canonical order. This is cheap if the names are already sorted. */
export function inOrder(names: readonly string[]): readonly string[] {
  const keyed = names.map((name) => ({ name, key: keyOf(name) }));
  const isSorted = keyed.every(({ key }, at) => at === 0 || keyed[at - 1]!.key < key);
  if (isSorted) return names;
  return keyed.toSorted((a, b) => (a.key < b.key ? -1 : 1)).map(({ name }) => name);
}

/** Writes a block's order after its index, and checks it. */
export function* writeOrder(
  block: BlockNodes,
  { names, expiration }: ZoneOrder,
): Interruptible<void> {
  const order = beginOrder(block, expiration);
  for (const [place, name] of names.entries()) {
    writeEntry(block, order + ORDER_WORD.ENTRIES + place * ORDER_ENTRY.WORDS, name);
    if (place % NODES_PER_YIELD === 0) yield;
  }
  block.words[order + ORDER_WORD.NAMES] = names.length;
  for (let place = 0; place < names.length; place++) {
    checkNext(block, place);
    if (place % NODES_PER_YIELD === 0) yield;
  }
}

/** Copies the order of `source` with changes sorted by position, and checks it at the changes. */
export function patchOrder(
  source: BlockNodes,
  block: BlockNodes,
  changes: readonly OrderChange[],
  expiration: number,
): void {
  const order = beginOrder(block, expiration);
  const from = (source.word(ZONE_WORD.ORDER_OFFSET) >> 2) + ORDER_WORD.ENTRIES;
  const first = order + ORDER_WORD.ENTRIES;
  let read = 0;
  let written = 0;
  const changed: number[] = [];
  const copyTo = (end: number) => {
    const entries = source.words.subarray(
      from + read * ORDER_ENTRY.WORDS,
      from + end * ORDER_ENTRY.WORDS,
    );
    block.words.set(entries, first + written * ORDER_ENTRY.WORDS);
    written += end - read;
    read = end;
  };
  for (const { place, gone, name } of changes) {
    copyTo(place);
    changed.push(written);
    read += gone;
    if (name !== undefined) writeEntry(block, first + written++ * ORDER_ENTRY.WORDS, name);
  }
  copyTo(orderedNames(source, 0));
  block.words[order + ORDER_WORD.NAMES] = written;
  for (const place of changed) {
    checkNext(block, (place + written - 1) % written);
    if (place < written) checkNext(block, place);
  }
}

function writeEntry(block: BlockNodes, entry: number, name: string): void {
  const key = keyOf(name);
  let prefix = 0;
  for (let at = 0; at < PREFIX_OCTETS; at++) {
    prefix = (prefix << 8) | (at < key.length ? key.charCodeAt(at) : 0);
  }
  block.words[entry + ORDER_ENTRY.PREFIX] = toSortable(prefix);
  block.words[entry + ORDER_ENTRY.NODE] = block.nodeAt(block.find(name));
}

/** Returns the position of a name in a block's order, or the position at which it would be inserted. */
export function findPosition(block: BlockNodes, name: string): { place: number; isThere: boolean } {
  const key = keyOf(name);
  let low = 0;
  let high = orderedNames(block, 0);
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (keyOf(block.nameOf(orderedNode(block, 0, middle))) < key) low = middle + 1;
    else high = middle;
  }
  const isThere = low < orderedNames(block, 0) && block.nameOf(orderedNode(block, 0, low)) === name;
  return { place: low, isThere };
}

/** Allocates the order after the index. Returns its position in words. */
function beginOrder(block: BlockNodes, expiration: number): number {
  const slots = block.word(ZONE_WORD.INDEX_MASK) + 1;
  const offset = block.word(ZONE_WORD.INDEX_OFFSET) + slots * 4;
  block.words[ZONE_WORD.ORDER_OFFSET] = offset;
  block.words[(offset >> 2) + ORDER_WORD.EXPIRATION] = expiration;
  return offset >> 2;
}

/**
 * @throws Error unless the NSEC at this position leads to the next name, since a longer interval would deny existing
 * names (RFC 4034 s4.1.1)
 */
function checkNext(block: BlockNodes, place: number): void {
  const node = orderedNode(block, 0, place);
  const next = block.nameOf(orderedNode(block, 0, (place + 1) % orderedNames(block, 0)));
  const apex = Buffer.from(apexOf(block)).toString('latin1');
  if (nextName(block, node) === next + apex) return;
  const owner = Buffer.from(block.nameOf(node) + apex, 'latin1');
  throw new Error(`The NSEC record at ${wireToName(owner)} does not point to the next name.`);
}

function nextName(block: BlockNodes, node: number): string {
  const rrset = findRrset(block, node, RR_TYPE.NSEC);
  if (rrset === NOT_FOUND) return '';
  const start = firstRdata(rrset) + 2;
  let end = start;
  while (block.octets[end] !== 0) end += block.octets[end]! + 1;
  const name = block.octets.subarray(start, end + 1).map(lowerCase);
  return Buffer.from(name.buffer, name.byteOffset, name.length).toString('latin1');
}

/** Writes the order of a block with NSEC3 after its index, and the proofs before its nodes. */
export function* writeHashedOrder(
  block: BlockNodes,
  tree: ZoneTree,
  expiration: number,
  { parameters, names, proofs }: HashedDenial,
): Interruptible<void> {
  const order = beginOrder(block, expiration);
  const offsets = new Int32Array(names.length);
  let entry = order + ORDER_WORD.ENTRIES;
  for (const [place, name] of names.entries()) {
    offsets[place] = block.nodeAt(block.find(name));
    block.words[entry + ORDER_ENTRY.PREFIX] = toSortable(prefixOfDigestLabel(name.slice(1)) ?? 0);
    block.words[entry + ORDER_ENTRY.NODE] = offsets[place]!;
    entry += ORDER_ENTRY.WORDS;
    if (place % NODES_PER_YIELD === 0) yield;
  }
  block.words[order + ORDER_WORD.NAMES] = names.length;
  block.words[entry] = offsetOfParameters(block, parameters);
  block.words[ZONE_WORD.ORDER_OFFSET]! |= ORDER_BY_HASH;
  yield* writeProofs(block, tree, { offsets, proofs });
}

function* writeProofs(
  block: BlockNodes,
  tree: ZoneTree,
  { offsets, proofs }: { readonly offsets: Int32Array; readonly proofs: Int32Array },
): Interruptible<void> {
  const offsetOf = (place: number) =>
    place === 0 ? 0 : Math.sign(place) * offsets[Math.abs(place) - 1]!;
  let at = 0;
  for (const name of tree.keys()) {
    const node = block.nodeAt(block.find(name)) >> 2;
    block.words[node + PROOF_WORD.OWN] = offsetOf(proofs[at]!);
    block.words[node + PROOF_WORD.WILDCARD] = offsetOf(proofs[at + 1]!);
    at += 2;
    if (at % NODES_PER_YIELD === 0) yield;
  }
}

function offsetOfParameters(block: BlockNodes, parameters: Uint8Array): number {
  for (const { type, octets, rdataStart, rdataLength } of recordsAt(
    block,
    block.word(ZONE_WORD.APEX_NODE),
  )) {
    if (type !== RR_TYPE.NSEC3PARAM) continue;
    const rdata = octets.subarray(rdataStart, rdataStart + rdataLength);
    if (Buffer.compare(rdata, parameters) === 0) return rdataStart;
  }
  throw new Error('The zone has lost its NSEC3PARAM record.');
}
