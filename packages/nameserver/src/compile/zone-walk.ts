import { RR_TYPE } from '@zonewright/dns-records';
import type { BlockNodes } from './block-nodes.js';
import { NodeRecords, type PlacedRecord } from './block-records.js';
import {
  DEAD_LABEL,
  EMPTY_SLOT,
  NODE_NAME_LENGTH_OFFSET,
  NODE_NAME_OFFSET,
  ZONE_WORD,
} from '../image/layout.js';

/**
 * Number of nodes that are prefetched. The index is ordered by hash, so the nodes are scattered in memory. Touching
 * all nodes of a batch before reading any lets the processor fetch them in parallel.
 */
const NODES_AT_ONCE = 32;

/** Iterates over all records of a zone except its SOA, name by name. */
export class ZoneWalk {
  readonly #block: BlockNodes;
  readonly #records: NodeRecords;
  readonly #batch = new Int32Array(NODES_AT_ONCE);
  #batchLength = 0;
  #batchAt = 0;
  /** Position in the words of the block's index. */
  #position: number;
  readonly #end: number;

  constructor(block: BlockNodes) {
    this.#block = block;
    this.#records = new NodeRecords(block);
    this.#position = block.word(ZONE_WORD.INDEX_OFFSET) >> 2;
    this.#end = this.#position + block.word(ZONE_WORD.INDEX_MASK) + 1;
  }

  /** Returns the next record, always in the same object; undefined at the end. */
  next(): PlacedRecord | undefined {
    const { record } = this.#records;
    for (;;) {
      while (!this.#records.next()) if (!this.#startNode()) return undefined;
      if (record.nameLength !== 0 || record.type !== RR_TYPE.SOA) return record;
    }
  }

  #startNode(): boolean {
    while (this.#batchAt === this.#batchLength) if (!this.#fillBatch()) return false;
    this.#records.start(this.#batch[this.#batchAt++]!);
    return true;
  }

  /** Returns false at the end of the index. */
  #fillBatch(): boolean {
    if (this.#position === this.#end) return false;
    const { octets, words } = this.#block;
    const batch = this.#batch;
    let found = 0;
    let position = this.#position;
    for (; position < this.#end && found < NODES_AT_ONCE; position++) {
      if (words[position] !== EMPTY_SLOT) batch[found++] = this.#block.nodeAt(position);
    }
    this.#position = position;
    let living = 0;
    for (let at = 0; at < found; at++) {
      const node = batch[at]!;
      const isApex = octets[node + NODE_NAME_LENGTH_OFFSET] === 0;
      // The apex has an empty name: the octets after it are not a label.
      if (isApex || octets[node + NODE_NAME_OFFSET] !== DEAD_LABEL) batch[living++] = node;
    }
    this.#batchAt = 0;
    this.#batchLength = living;
    return true;
  }
}
