import { RR_TYPE, wireToName } from '@zonewright/dns-records';

import { type LookupName, toLookupName } from '../wire/lookup-name.js';
import { indexSlots, insertIntoIndex } from './zone-index.js';
import {
  MAX_ZONE_OCTETS,
  UNIT_OCTETS,
  ZONE_APEX_LENGTH_OFFSET,
  ZONE_APEX_NAME_OFFSET,
  ZONE_WORD,
} from './layout.js';
import { nodeOctets, writeNode } from './node-writer.js';
import { removeDuplicates } from './rrset.js';
import type { ZoneContent } from './zone-content.js';
import { buildZoneTree, findRrsetOfNode, type ZoneNode, type ZoneTree } from './zone-tree.js';

/** MINIMUM is the last of the five numbers that end the rdata of SOA (RFC 1035 s3.3.13). */
const SOA_MINIMUM_OCTETS_FROM_END = 4;

/**
 * The zone's block (layout.ts), ready to be put into the image. All that answers need and that can be known beforehand
 * is worked out here. Pure. Throws if there is no SOA, if an owner lies outside the zone, or if it is too large.
 */
export function compileZone(content: ZoneContent): Uint8Array {
  const apex = toLookupName(content.apex);
  const tree = buildZoneTree(apex, content);
  for (const node of tree.values()) finishRrsets(node);

  const slots = indexSlots(tree.size);
  const indexOffset = alignTo(ZONE_APEX_NAME_OFFSET + apex.length, 4);
  const nodesOffset = indexOffset + slots * 4;
  let nodesEnd = nodesOffset;
  for (const node of tree.values()) nodesEnd += nodeOctets(node);
  const octets = alignTo(nodesEnd, UNIT_OCTETS);
  if (octets > MAX_ZONE_OCTETS) {
    throw new Error(`${textOf(apex)} takes ${octets} octets; a zone may take ${MAX_ZONE_OCTETS}.`);
  }

  const block = new Uint8Array(octets);
  const words = new Int32Array(block.buffer);
  words[ZONE_WORD.OCTETS] = octets;
  words[ZONE_WORD.APEX_HASH] = apex.hashes[0]!;
  words[ZONE_WORD.SERIAL] = content.serial;
  words[ZONE_WORD.NEGATIVE_TTL] = negativeTtlOf(apex, tree);
  words[ZONE_WORD.INDEX_MASK] = slots - 1;
  words[ZONE_WORD.INDEX_OFFSET] = indexOffset;
  words[ZONE_WORD.APEX_NODE] = nodesOffset;
  words[ZONE_WORD.RECORDS] = countRecords(tree);
  block[ZONE_APEX_LENGTH_OFFSET] = apex.length;
  block.set(apex.lower.subarray(0, apex.length), ZONE_APEX_NAME_OFFSET);

  let at = nodesOffset;
  for (const node of tree.values()) {
    insertIntoIndex(words, node.hash, at);
    at = writeNode(block, at, node);
  }
  return block;
}

/** In order of type, so that what ANY over UDP picks does not depend on the order of loading. */
function finishRrsets(node: ZoneNode): void {
  for (const rrset of node.rrsets) removeDuplicates(rrset);
  node.rrsets.sort((a, b) => a.type - b.type);
}

function negativeTtlOf(apex: LookupName, tree: ZoneTree): number {
  const soa = findRrsetOfNode(tree.get('')!, RR_TYPE.SOA);
  const rdata = soa?.rdatas[0];
  if (soa === undefined || rdata === undefined) throw new Error(`${textOf(apex)} has no SOA.`);
  const view = new DataView(rdata.buffer, rdata.byteOffset, rdata.byteLength);
  return Math.min(soa.ttl, view.getUint32(rdata.length - SOA_MINIMUM_OCTETS_FROM_END));
}

function countRecords(tree: ZoneTree): number {
  let records = 0;
  for (const node of tree.values()) {
    for (const rrset of node.rrsets) records += rrset.rdatas.length;
  }
  return records;
}

function alignTo(octets: number, multiple: number): number {
  return Math.ceil(octets / multiple) * multiple;
}

function textOf(apex: LookupName): string {
  return wireToName(apex.spelled);
}
