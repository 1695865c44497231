import { EMPTY_SLOT, NODE_ALIGN_SHIFT, NODE_OFFSET_BITS, ZONE_WORD } from './layout.js';
import { spreadHash } from '../wire/name-hash.js';

/** Above this the runs of occupied slots get long. */
const MAX_LOAD = 0.75;

/** A power of two with room for this many nodes. */
export function indexSlots(nodes: number): number {
  return 2 ** Math.ceil(Math.log2((nodes + 1) / MAX_LOAD));
}

/** Enters a node that is not in the index of the zone block at the start of `words`. Returns where in them. */
export function insertIntoIndex(words: Int32Array, hash: number, nodeOffset: number): number {
  words[ZONE_WORD.INDEX_IN_USE]! += 1;
  const mask = words[ZONE_WORD.INDEX_MASK]!;
  const index = words[ZONE_WORD.INDEX_OFFSET]! >> 2;
  const spread = spreadHash(hash);
  let position = spread & mask;
  while (words[index + position] !== EMPTY_SLOT) position = (position + 1) & mask;
  words[index + position] = indexEntry(hash, nodeOffset);
  return index + position;
}

export function indexEntry(hash: number, nodeOffset: number): number {
  const fingerprint = spreadHash(hash) >>> NODE_OFFSET_BITS;
  return (fingerprint << NODE_OFFSET_BITS) | (nodeOffset >> NODE_ALIGN_SHIFT);
}
