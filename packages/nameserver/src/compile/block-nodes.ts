import { MAX_LABELS } from '../wire/protocol.js';
import { readInt32, readUint16 } from '../wire/octets.js';
import {
  DEAD_LABEL,
  EMPTY_SLOT,
  NODE_ALIGN_SHIFT,
  NODE_FLAGS_OFFSET,
  NODE_NAME_LENGTH_OFFSET,
  NODE_NAME_OFFSET,
  NODE_OFFSET_BITS,
  NODE_OFFSET_MASK,
  NODE_RRSETS_OFFSET,
  RRSET_OCTETS_OFFSET,
  RRSET_RDATA_OFFSET,
  RRSET_RECORDS_OFFSET,
  ZONE_WORD,
} from '../image/layout.js';
import { hashOctet, spreadHash } from '../wire/lookup-name.js';
import { alignNode } from './node-writer.js';
import { NODES_PER_YIELD, type Interruptible } from '../image/steps.js';

/** Upper limit of names, with or without the apex. */
const scratch = Buffer.alloc(256);
const labelStarts = new Uint8Array(MAX_LABELS + 1);

export const NO_POSITION = -1;

/**
 * The nodes of one zone block by name without the apex: the lower-case wire form as a latin1 string; '' is the apex.
 * The writer uses it to process whole blocks. Queries use zone-block.ts.
 */
export class BlockNodes {
  readonly octets: Buffer;
  readonly words: Int32Array;
  readonly view: DataView;

  constructor(block: Uint8Array) {
    this.octets = Buffer.from(block.buffer, block.byteOffset, block.length);
    this.words = new Int32Array(block.buffer, block.byteOffset, block.length >> 2);
    this.view = new DataView(block.buffer, block.byteOffset, block.length);
  }

  word(word: number): number {
    return this.words[word]!;
  }

  /** Returns the index in `words` of this name's slot; NO_POSITION if the zone has no such name. */
  find(name: string): number {
    const spread = spreadHash(this.hashOf(name));
    const fingerprint = spread >>> NODE_OFFSET_BITS;
    const mask = this.word(ZONE_WORD.INDEX_MASK);
    const index = this.word(ZONE_WORD.INDEX_OFFSET) >> 2;
    for (let slot = spread & mask; ; slot = (slot + 1) & mask) {
      const entry = this.words[index + slot]!;
      if (entry === EMPTY_SLOT) return NO_POSITION;
      if (entry >>> NODE_OFFSET_BITS !== fingerprint) continue;
      if (this.nameOf(this.nodeAt(index + slot)) === name) return index + slot;
    }
  }

  has(name: string): boolean {
    return this.find(name) !== NO_POSITION;
  }

  /** Returns the offset of the node in the index entry at this position of `words`. */
  nodeAt(position: number): number {
    return (this.words[position]! & NODE_OFFSET_MASK) << NODE_ALIGN_SHIFT;
  }

  nameOf(node: number): string {
    const start = node + NODE_NAME_OFFSET;
    return this.octets.toString(
      'latin1',
      start,
      start + this.octets[node + NODE_NAME_LENGTH_OFFSET]!,
    );
  }

  hashOf(name: string): number {
    scratch.write(name, 'latin1');
    return hashBelow(this.word(ZONE_WORD.APEX_HASH), scratch, 0, name.length);
  }

  hashOfNode(node: number): number {
    const length = this.octets[node + NODE_NAME_LENGTH_OFFSET]!;
    const start = node + NODE_NAME_OFFSET;
    return hashBelow(this.word(ZONE_WORD.APEX_HASH), this.octets, start, length);
  }

  flagsOf(node: number): number {
    return this.octets[node + NODE_FLAGS_OFFSET]!;
  }

  rrsetsOf(node: number): number {
    return this.octets[node + NODE_RRSETS_OFFSET]!;
  }

  /** Returns the octets of the node and the number of its records. */
  measure(node: number): { octets: number; records: number } {
    let at = node + NODE_NAME_OFFSET + this.octets[node + NODE_NAME_LENGTH_OFFSET]!;
    let records = 0;
    for (let left = this.rrsetsOf(node); left > 0; left--) {
      records += readUint16(this.octets, at + RRSET_RECORDS_OFFSET);
      at += RRSET_RDATA_OFFSET + readInt32(this.octets, at + RRSET_OCTETS_OFFSET);
    }
    return { octets: alignNode(at) - node, records };
  }

  /** Calls `visit` with each live node. */
  *visitAll(visit: (node: number) => void): Interruptible<void> {
    const first = this.word(ZONE_WORD.INDEX_OFFSET) >> 2;
    const end = first + this.word(ZONE_WORD.INDEX_MASK) + 1;
    for (let position = first; position < end; position++) {
      if (position % NODES_PER_YIELD === 0) yield;
      if (this.words[position] === EMPTY_SLOT) continue;
      const node = this.nodeAt(position);
      if (this.octets[node + NODE_NAME_OFFSET] === DEAD_LABEL && !this.#isApex(node)) continue;
      visit(node);
    }
  }

  /** Calls `visit` with each live node at or below one of the names. */
  *visitBelow(
    names: ReadonlySet<string>,
    visit: (node: number, name: string) => void,
  ): Interruptible<void> {
    const { octets } = this;
    const lengths = new Uint8Array(scratch.length);
    for (const { length } of names) lengths[length] = 1;
    const isBelowApex = names.has('');
    yield* this.visitAll((node) => {
      const start = node + NODE_NAME_OFFSET;
      const end = start + octets[node + NODE_NAME_LENGTH_OFFSET]!;
      for (let at = start + octets[start]! + 1; at < end; at += octets[at]! + 1) {
        if (lengths[end - at] === 0) continue;
        const name = octets.toString('latin1', at, end);
        if (names.has(name)) visit(node, name);
      }
      if (isBelowApex && end > start) visit(node, '');
    });
  }

  /** The apex has an empty name: the octets after it are not a label. */
  #isApex(node: number): boolean {
    return this.octets[node + NODE_NAME_LENGTH_OFFSET] === 0;
  }
}

/** Returns the hash (lookup-name.ts) of the labels from `start`, followed by the apex with this hash. */
function hashBelow(apexHash: number, octets: Uint8Array, start: number, length: number): number {
  let labels = 0;
  for (let at = 0; at < length; at += octets[start + at]! + 1) labelStarts[labels++] = at;
  let hash = apexHash;
  let end = length;
  while (labels > 0) {
    const labelStart = labelStarts[--labels]!;
    for (let at = labelStart; at < end; at++) hash = hashOctet(hash, octets[start + at]!);
    end = labelStart;
  }
  return hash;
}
