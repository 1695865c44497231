import { RR_TYPE } from '@zonewright/dns-records';
import { prefixOfDigestLabel } from '../wire/name-digest.js';
import type { BlockNodes } from './block-nodes.js';
import { recordsAt } from './block-records.js';
import type { HashedDenial } from './hashed-denial.js';
import { ORDER_BY_HASH, ORDER_ENTRY, ORDER_WORD, PROOF_WORD, ZONE_WORD } from './layout.js';
import { beginOrder } from './order-writer.js';
import { NODES_A_STEP, type Steps } from './steps.js';
import { toSortable } from './zone-order.js';
import type { ZoneTree } from './zone-tree.js';

/** Writes the order of a block with NSEC3 behind its index, and the proofs before its nodes. */
export function* writeHashedOrder(
  block: BlockNodes,
  tree: ZoneTree,
  expiration: number,
  { parameters, names, proofs }: HashedDenial,
): Steps<void> {
  const order = beginOrder(block, expiration);
  const offsets = new Int32Array(names.length);
  let entry = order + ORDER_WORD.ENTRIES;
  for (const [place, name] of names.entries()) {
    offsets[place] = block.nodeAt(block.find(name));
    block.words[entry + ORDER_ENTRY.PREFIX] = toSortable(prefixOfDigestLabel(name.slice(1)) ?? 0);
    block.words[entry + ORDER_ENTRY.NODE] = offsets[place]!;
    entry += ORDER_ENTRY.WORDS;
    if (place % NODES_A_STEP === 0) yield;
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
): Steps<void> {
  const offsetOf = (place: number) =>
    place === 0 ? 0 : Math.sign(place) * offsets[Math.abs(place) - 1]!;
  let at = 0;
  for (const name of tree.keys()) {
    const node = block.nodeAt(block.find(name)) >> 2;
    block.words[node + PROOF_WORD.OWN] = offsetOf(proofs[at]!);
    block.words[node + PROOF_WORD.WILDCARD] = offsetOf(proofs[at + 1]!);
    at += 2;
    if (at % NODES_A_STEP === 0) yield;
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
  throw new Error('The zone has lost its NSEC3PARAM.');
}
