import { RR_TYPE, serialOfSoa } from '@zonewright/dns-records';
import { readInt32, readUint16 } from '../wire/octets.js';
import { BlockNodes } from './block-nodes.js';
import {
  NODE_NAME_LENGTH_OFFSET,
  NODE_NAME_OFFSET,
  RRSET_OCTETS_OFFSET,
  RRSET_RDATA_OFFSET,
  RRSET_RECORDS_OFFSET,
  RRSET_TTL_MASK,
  RRSET_TTL_OFFSET,
  RRSET_TYPE_OFFSET,
  ZONE_APEX_LENGTH_OFFSET,
  ZONE_APEX_NAME_OFFSET,
  ZONE_WORD,
} from '../image/layout.js';

/** View of a record in the block: its owner without the apex, in lower case, and its rdata. */
export interface PlacedRecord {
  octets: Uint8Array;
  nameStart: number;
  nameLength: number;
  type: number;
  ttl: number;
  rdataStart: number;
  rdataLength: number;
}

/** Iterates over the records of one node. It reuses one object, so read a record before the next. */
export function* recordsAt(block: BlockNodes, node: number): Generator<PlacedRecord, void> {
  const records = new NodeRecords(block);
  records.start(node);
  while (records.next()) yield records.record;
}

/** Iterates over the records of one node without a generator, since transfers read millions of records. */
export class NodeRecords {
  /** The record that next() has reached. */
  readonly record: PlacedRecord;
  readonly #block: BlockNodes;
  #setsLeft = 0;
  #recordsLeft = 0;
  #nextSet = 0;
  #nextRdata = 0;

  constructor(block: BlockNodes) {
    const { octets } = block;
    this.#block = block;
    this.record = {
      octets,
      nameStart: 0,
      nameLength: 0,
      type: 0,
      ttl: 0,
      rdataStart: 0,
      rdataLength: 0,
    };
  }

  /** Moves to the position before the first record of a node. */
  start(node: number): void {
    const { record } = this;
    record.nameLength = record.octets[node + NODE_NAME_LENGTH_OFFSET]!;
    record.nameStart = node + NODE_NAME_OFFSET;
    this.#setsLeft = this.#block.rrsetsOf(node);
    this.#recordsLeft = 0;
    this.#nextSet = record.nameStart + record.nameLength;
  }

  /** Goes to the next record. Returns false at the end of the node. */
  next(): boolean {
    while (this.#recordsLeft === 0) {
      if (this.#setsLeft === 0) return false;
      this.#startSet();
    }
    const { record } = this;
    record.rdataLength = readUint16(record.octets, this.#nextRdata);
    record.rdataStart = this.#nextRdata + 2;
    this.#nextRdata = record.rdataStart + record.rdataLength;
    this.#recordsLeft--;
    return true;
  }

  #startSet(): void {
    const { record } = this;
    const { octets } = record;
    const set = this.#nextSet;
    record.type = readUint16(octets, set + RRSET_TYPE_OFFSET);
    record.ttl = readInt32(octets, set + RRSET_TTL_OFFSET) & RRSET_TTL_MASK;
    this.#recordsLeft = readUint16(octets, set + RRSET_RECORDS_OFFSET);
    this.#nextRdata = set + RRSET_RDATA_OFFSET;
    this.#nextSet = this.#nextRdata + readInt32(octets, set + RRSET_OCTETS_OFFSET);
    this.#setsLeft--;
  }
}

/** Returns the zone's name in wire form and lower case. */
export function apexOf({ octets }: BlockNodes): Uint8Array {
  const start = ZONE_APEX_NAME_OFFSET;
  return octets.subarray(start, start + octets[ZONE_APEX_LENGTH_OFFSET]!);
}

/** Returns the zone's SOA record. */
export function soaOf(block: BlockNodes): PlacedRecord {
  const soa = findSoa(block);
  if (soa === undefined) throw new Error('The zone has no SOA record.');
  return soa;
}

/**
 * Returns the serial in the zone's SOA, which identifies a version to others. In a secondary zone it is the
 * primary's, while the block's own serial is the database's. Undefined if the zone is withheld.
 */
export function soaSerialOf(block: Uint8Array): number | undefined {
  const soa = findSoa(new BlockNodes(block));
  return soa && serialOfSoa(soa.octets.subarray(soa.rdataStart, soa.rdataStart + soa.rdataLength));
}

function findSoa(block: BlockNodes): PlacedRecord | undefined {
  for (const record of recordsAt(block, block.word(ZONE_WORD.APEX_NODE))) {
    if (record.type === RR_TYPE.SOA) return record;
  }
  return undefined;
}

/** Copies a record with its octets. */
export function copyRecord({ octets, ...record }: PlacedRecord): PlacedRecord {
  const { nameStart, nameLength, rdataStart, rdataLength } = record;
  const copy = new Uint8Array(nameLength + rdataLength);
  copy.set(octets.subarray(nameStart, nameStart + nameLength));
  copy.set(octets.subarray(rdataStart, rdataStart + rdataLength), nameLength);
  return { ...record, octets: copy, nameStart: 0, rdataStart: nameLength };
}
