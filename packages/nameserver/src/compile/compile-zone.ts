import { RR_TYPE, wireToName } from '@zonewright/dns-records';

import { type LookupName, toLookupName } from '../wire/lookup-name.js';
import { indexSlots, insertIntoIndex } from './node-writer.js';
import {
  MAX_ZONE_OCTETS,
  ORDER_ENTRY,
  ORDER_WORD,
  PROOF_OCTETS,
  UNIT_OCTETS,
  ZONE_APEX_LENGTH_OFFSET,
  ZONE_APEX_NAME_OFFSET,
  ZONE_WORD,
} from '../image/layout.js';
import { BlockNodes } from './block-nodes.js';
import { checkSignedZone } from './check-signatures.js';
import { alignNode, nodeOctets, writeNode } from './node-writer.js';
import { writeHashedOrder } from './order-writer.js';
import { writeOrder } from './order-writer.js';
import { NODES_PER_YIELD, runToEnd, type Interruptible } from '../image/steps.js';
import type { ZoneContent } from './zone-tree.js';
import {
  buildZoneTree,
  findRrsetOfNode,
  finishRrsets,
  type ZoneNode,
  type ZoneTree,
} from './zone-tree.js';

/** MINIMUM is the last of the five numbers that end the rdata of SOA (RFC 1035 s3.3.13). */
const SOA_MINIMUM_OCTETS_FROM_END = 4;

/**
 * Compiles a zone to a block (layout.ts) for the image. Everything that answers need and that is known in advance is
 * computed here.
 * @throws Error if the SOA is missing in a zone that is not withheld, if an owner is outside of the zone, or if the
 * zone is too large
 */
export function compileZone(content: ZoneContent): Uint8Array {
  return runToEnd(compileZoneInParts(content));
}

/** Does the same as compileZone(), but yields, so that a large zone can be interrupted. */
export function* compileZoneInParts(content: ZoneContent): Interruptible<Uint8Array> {
  const apex = toLookupName(content.apex);
  const tree = yield* buildZoneTree(apex, content);
  const nodeOctets = yield* finishNodes(tree);
  const order = content.isSigned === true ? yield* checkSignedZone(content, tree) : undefined;
  const margin = order?.hashed === undefined ? 0 : PROOF_OCTETS;
  const nodesOffset = alignNode(ZONE_APEX_NAME_OFFSET + apex.length);
  const indexOffset = nodesOffset + nodeOctets + margin * tree.size;
  const slots = indexSlots(tree.size);
  const isHashed = order?.hashed !== undefined;
  const octets = blockOctets(indexOffset, slots, order?.names.length, isHashed);
  if (octets > MAX_ZONE_OCTETS) {
    throw new Error(
      `${textOf(apex)} takes ${octets} octets; the maximum of a zone is ${MAX_ZONE_OCTETS}.`,
    );
  }
  const block = new Uint8Array(octets);
  const words = new Int32Array(block.buffer);
  words[ZONE_WORD.OCTETS] = octets;
  words[ZONE_WORD.APEX_HASH] = apex.hashes[0]!;
  words[ZONE_WORD.SERIAL] = content.serial;
  words[ZONE_WORD.NEGATIVE_TTL] =
    content.isWithheld === true ? 0 : negativeTtlOf(content.apex, tree.get('')!);
  words[ZONE_WORD.INDEX_MASK] = slots - 1;
  words[ZONE_WORD.INDEX_OFFSET] = indexOffset;
  words[ZONE_WORD.APEX_NODE] = nodesOffset + margin;
  block[ZONE_APEX_LENGTH_OFFSET] = apex.length;
  block.set(apex.lower.subarray(0, apex.length), ZONE_APEX_NAME_OFFSET);
  yield* writeNodes({ block, words, nodesOffset, margin }, tree);
  if (order === undefined) return block;
  const nodes = new BlockNodes(block);
  if (order.hashed === undefined) yield* writeOrder(nodes, order);
  else yield* writeHashedOrder(nodes, tree, order.expiration, order.hashed);
  return block;
}

/**
 * Returns the size of a block whose nodes end, and whose index starts, at `indexOffset`. A signed zone has the names
 * of its order, too.
 */
export function blockOctets(
  indexOffset: number,
  slots: number,
  orderNames?: number,
  isHashed = false,
): number {
  const orderWords =
    orderNames === undefined
      ? 0
      : ORDER_WORD.ENTRIES + orderNames * ORDER_ENTRY.WORDS + Number(isHashed);
  return alignTo(indexOffset + (slots + orderWords) * 4, UNIT_OCTETS);
}

/** Returns the total size of the nodes in octets. */
function* finishNodes(tree: ZoneTree): Interruptible<number> {
  let octets = 0;
  let done = 0;
  for (const node of tree.values()) {
    finishRrsets(node);
    octets += nodeOctets(node);
    if (++done % NODES_PER_YIELD === 0) yield;
  }
  return octets;
}

interface NodeSpace {
  readonly block: Uint8Array;
  readonly words: Int32Array;
  readonly nodesOffset: number;
  /** Octets reserved before each node. */
  readonly margin: number;
}

function* writeNodes(
  { block, words, nodesOffset, margin }: NodeSpace,
  tree: ZoneTree,
): Interruptible<void> {
  let at = nodesOffset;
  let records = 0;
  let done = 0;
  for (const node of tree.values()) {
    at += margin;
    insertIntoIndex(words, node.hash, at);
    at = writeNode(block, at, node);
    records += countRecords(node);
    if (++done % NODES_PER_YIELD === 0) yield;
  }
  words[ZONE_WORD.RECORDS] = records;
}

/**
 * Returns min(TTL of the SOA, its MINIMUM), RFC 2308 s5.
 * @param apexNode node of the apex
 */
export function negativeTtlOf(apex: Uint8Array, apexNode: ZoneNode): number {
  const soa = findRrsetOfNode(apexNode, RR_TYPE.SOA);
  const rdata = soa?.rdatas[0];
  if (soa === undefined || rdata === undefined)
    throw new Error(`${wireToName(apex)} has no SOA record.`);
  const view = new DataView(rdata.buffer, rdata.byteOffset, rdata.byteLength);
  return Math.min(soa.ttl, view.getUint32(rdata.length - SOA_MINIMUM_OCTETS_FROM_END));
}

export function countRecords(node: ZoneNode): number {
  let records = 0;
  for (const rrset of node.rrsets) records += rrset.rdatas.length;
  return records;
}

export function recordsOfBlock(block: Uint8Array): number {
  return new Int32Array(block.buffer, block.byteOffset, ZONE_WORD.RECORDS + 1)[ZONE_WORD.RECORDS]!;
}

function alignTo(octets: number, multiple: number): number {
  return Math.ceil(octets / multiple) * multiple;
}

function textOf(apex: LookupName): string {
  return wireToName(apex.spelled.subarray(0, apex.length));
}
