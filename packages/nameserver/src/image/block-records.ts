import { RR_TYPE, serialOfSoa } from '@zonewright/dns-records';
import { readInt32, readUint16 } from '../wire/octets.js';
import { BlockNodes } from './block-nodes.js';
import {
  DEAD_LABEL,
  EMPTY_SLOT,
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
} from './layout.js';

/** One record where it lies: its owner without the apex, in lower case, and its rdata. */
export interface PlacedRecord {
  octets: Uint8Array;
  nameStart: number;
  nameLength: number;
  type: number;
  ttl: number;
  rdataStart: number;
  rdataLength: number;
}

/** All records of a zone but its SOA, name by name. One object is used for all: it is read before the next is asked for. */
export function* listRecords(block: BlockNodes): Generator<PlacedRecord, void> {
  const first = block.word(ZONE_WORD.INDEX_OFFSET) >> 2;
  const end = first + block.word(ZONE_WORD.INDEX_MASK) + 1;
  for (let position = first; position < end; position++) {
    if (block.words[position] === EMPTY_SLOT) continue;
    const node = block.nodeAt(position);
    const isApex = block.octets[node + NODE_NAME_LENGTH_OFFSET] === 0;
    if (!isApex && block.octets[node + NODE_NAME_OFFSET] === DEAD_LABEL) continue;
    for (const record of recordsAt(block, node)) {
      if (!isApex || record.type !== RR_TYPE.SOA) yield record;
    }
  }
}

/** The records of one node; as listRecords(). */
export function* recordsAt(block: BlockNodes, node: number): Generator<PlacedRecord, void> {
  const { octets } = block;
  const nameLength = octets[node + NODE_NAME_LENGTH_OFFSET]!;
  const nameStart = node + NODE_NAME_OFFSET;
  const record = { octets, nameStart, nameLength, type: 0, ttl: 0, rdataStart: 0, rdataLength: 0 };
  let rrset = nameStart + nameLength;
  for (let left = block.rrsetsOf(node); left > 0; left--) {
    record.type = readUint16(octets, rrset + RRSET_TYPE_OFFSET);
    record.ttl = readInt32(octets, rrset + RRSET_TTL_OFFSET) & RRSET_TTL_MASK;
    let rdata = rrset + RRSET_RDATA_OFFSET;
    for (let more = readUint16(octets, rrset + RRSET_RECORDS_OFFSET); more > 0; more--) {
      record.rdataLength = readUint16(octets, rdata);
      record.rdataStart = rdata + 2;
      yield record;
      rdata += 2 + record.rdataLength;
    }
    rrset += RRSET_RDATA_OFFSET + readInt32(octets, rrset + RRSET_OCTETS_OFFSET);
  }
}

/** The zone's name on the wire, in lower case. */
export function apexOf({ octets }: BlockNodes): Uint8Array {
  const start = ZONE_APEX_NAME_OFFSET;
  return octets.subarray(start, start + octets[ZONE_APEX_LENGTH_OFFSET]!);
}

/** The zone's SOA. */
export function soaOf(block: BlockNodes): PlacedRecord {
  const soa = findSoa(block);
  if (soa === undefined) throw new Error('A zone without SOA.');
  return soa;
}

/**
 * The serial of the zone's SOA, which is what others know of a version: of a secondary zone it is the primary's, and the block's is the
 * database's. Undefined: the zone is withheld.
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

/** A record with octets of its own. */
export function copyRecord({ octets, ...record }: PlacedRecord): PlacedRecord {
  const { nameStart, nameLength, rdataStart, rdataLength } = record;
  const copy = new Uint8Array(nameLength + rdataLength);
  copy.set(octets.subarray(nameStart, nameStart + nameLength));
  copy.set(octets.subarray(rdataStart, rdataStart + rdataLength), nameLength);
  return { ...record, octets: copy, nameStart: 0, rdataStart: nameLength };
}
