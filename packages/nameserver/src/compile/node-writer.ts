import {
  EMPTY_SLOT,
  NODE_ALIGN_SHIFT,
  NODE_FLAGS_OFFSET,
  NODE_NAME_LENGTH_OFFSET,
  NODE_NAME_OFFSET,
  NODE_OFFSET_BITS,
  NODE_RRSETS_OFFSET,
  RRSET_OCTETS_OFFSET,
  RRSET_RDATA_OFFSET,
  RRSET_RECORDS_OFFSET,
  RRSET_SIGNED_BIT,
  RRSET_TTL_OFFSET,
  RRSET_TYPE_OFFSET,
  ZONE_WORD,
} from '../image/layout.js';
import { spreadHash } from '../wire/lookup-name.js';
import type { Rrset } from './rrset.js';
import type { ZoneNode } from './zone-tree.js';

const MAX_RRSETS = 0xff;
const MAX_RECORDS = 0xffff;
const MAX_RDATA_OCTETS = 0xffff;
const NODE_ALIGN_OCTETS = 1 << NODE_ALIGN_SHIFT;

/**
 * Returns the octets that `writeNode` takes, with padding.
 * @throws Error if a count of the node exceeds its field
 */
export function nodeOctets(node: ZoneNode): number {
  if (node.rrsets.length > MAX_RRSETS) throw new Error(`A name has more than ${MAX_RRSETS} types.`);
  let octets = NODE_NAME_OFFSET + node.name.length;
  for (const rrset of node.rrsets) octets += RRSET_RDATA_OFFSET + rdataOctets(rrset);
  return alignNode(octets);
}

function rdataOctets(rrset: Rrset): number {
  if (rrset.rdatas.length > MAX_RECORDS) {
    throw new Error(`An RRset has more than ${MAX_RECORDS} records.`);
  }
  let octets = 0;
  for (const rdata of rrset.rdatas) {
    if (rdata.length > MAX_RDATA_OCTETS)
      throw new Error(`The rdata is too long: ${rdata.length} octets.`);
    octets += 2 + rdata.length;
  }
  return octets;
}

/** Writes the node at `start`. Returns the offset after it. */
export function writeNode(block: Uint8Array, start: number, node: ZoneNode): number {
  block[start + NODE_FLAGS_OFFSET] = node.flags;
  block[start + NODE_RRSETS_OFFSET] = node.rrsets.length;
  block[start + NODE_NAME_LENGTH_OFFSET] = node.name.length;
  let at = start + NODE_NAME_OFFSET;
  for (let i = 0; i < node.name.length; i++) block[at++] = node.name.charCodeAt(i);
  for (const [place, rrset] of node.rrsets.entries()) {
    const start = at;
    at = writeRrset(block, start, rrset);
    if (isSignedBy(rrset, node.rrsets[place + 1])) {
      block[start + RRSET_TTL_OFFSET]! |= RRSET_SIGNED_BIT;
    }
  }
  return alignNode(at);
}

/** Whether an RRset is followed by its RRSIG records. */
export function isSignedBy(rrset: Rrset, next: Rrset | undefined): boolean {
  return rrset.covers === 0 && next?.covers === rrset.type;
}

function writeRrset(block: Uint8Array, start: number, rrset: Rrset): number {
  const view = new DataView(block.buffer, block.byteOffset);
  view.setUint16(start + RRSET_TYPE_OFFSET, rrset.type);
  view.setUint16(start + RRSET_RECORDS_OFFSET, rrset.rdatas.length);
  view.setUint32(start + RRSET_TTL_OFFSET, rrset.ttl);
  view.setUint32(start + RRSET_OCTETS_OFFSET, rdataOctets(rrset));
  let at = start + RRSET_RDATA_OFFSET;
  for (const rdata of rrset.rdatas) {
    view.setUint16(at, rdata.length);
    block.set(rdata, at + 2);
    at += 2 + rdata.length;
  }
  return at;
}

/** Nodes begin at multiples of eight octets. */
export function alignNode(octets: number): number {
  return (octets + NODE_ALIGN_OCTETS - 1) & ~(NODE_ALIGN_OCTETS - 1);
}

/** Maximum load of the index. A fuller index has long runs of occupied slots. */
const MAX_LOAD = 0.75;

/** Returns a power of two with room for this many nodes. */
export function indexSlots(nodes: number): number {
  return 2 ** Math.ceil(Math.log2((nodes + 1) / MAX_LOAD));
}

/** Adds a node to the index of the zone block at the start of `words`. Returns its position in `words`. */
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
