import { RR_TYPE } from '@zonewright/dns-records';
import { NOT_FOUND } from '../image/directory.js';
import type { ImageView } from '../image/image-reader.js';
import {
  NODE_NAME_LENGTH_OFFSET,
  NODE_NAME_OFFSET,
  ZONE_APEX_LENGTH_OFFSET,
  ZONE_APEX_NAME_OFFSET,
} from '../image/layout.js';
import { apexNode, findRrset, rrsetTtl } from '../image/zone-block.js';
import { isOrderedByHash } from '../image/zone-proofs.js';
import type { QueryContext } from '../message/query-context.js';
import { NO_POINTER, pointerToQuestion, SECTION } from '../message/response-writer.js';
import { setTruncated } from '../message/response.js';
import { type LookupName, readLookupName } from '../wire/lookup-name.js';
import { copyOctets } from '../wire/octets.js';
import { MAX_NAME_OCTETS } from '../wire/protocol.js';
import { apexAncestor } from './find-zone.js';
import { writeSigned, writeSignedBelow } from './signatures.js';

/** Requests the NSEC or NSEC3 of this node for the authority section, once. */
export function addProof(context: QueryContext, zone: number, node: number): void {
  const { proofs } = context;
  for (let i = 0; i < context.proofCount; i += 2) if (proofs[i + 1] === node) return;
  if (context.proofCount === proofs.length) return;
  proofs[context.proofCount++] = zone;
  proofs[context.proofCount++] = node;
}

/** Writes the requested proofs, between the answer and the additional section. */
export function writeProofs(context: QueryContext): void {
  const { proofs, response } = context;
  if (context.proofCount === 0) return;
  response.section = SECTION.AUTHORITY;
  for (let i = 0; i < context.proofCount; i += 2) {
    const zone = proofs[i] ?? NOT_FOUND;
    if (!writeProof(context, zone, proofs[i + 1] ?? NOT_FOUND)) setTruncated(context);
  }
  context.proofCount = 0;
}

function writeProof(context: QueryContext, zone: number, node: number): boolean {
  const { image, composedName, searchName } = context;
  const type = isOrderedByHash(image, zone) ? RR_TYPE.NSEC3 : RR_TYPE.NSEC;
  const proof = findRrset(image, node, type);
  const isSearched = zone === context.zone;
  if (isSearched && node === apexNode(image, zone)) {
    return writeSigned(context, proof, searchName, apexAncestor(context), rrsetTtl(image, proof));
  }
  if (isSearched && isOneLabel(image, node)) {
    const apex = pointerToQuestion(context.response, searchName, apexAncestor(context));
    if (apex !== NO_POINTER) return writeSignedBelow(context, proof, nodeLabels(node), apex);
  }
  readNodeName(composedName, image, zone, node);
  return writeSigned(context, proof, composedName, 0, rrsetTtl(image, proof));
}

const composed = new Uint8Array(MAX_NAME_OCTETS);

/** Returns the full name of a node. */
function readNodeName(name: LookupName, image: ImageView, zone: number, node: number): void {
  const { octets } = image;
  const own = octets[node + NODE_NAME_LENGTH_OFFSET]!;
  const apex = octets[zone + ZONE_APEX_LENGTH_OFFSET]!;
  copyOctets(composed, 0, octets, node + NODE_NAME_OFFSET, own);
  copyOctets(composed, own, octets, zone + ZONE_APEX_NAME_OFFSET, apex);
  readLookupName(name, composed, 0, own + apex);
}

/** Returns the offset at which a node's labels below the apex begin. */
function nodeLabels(node: number): number {
  return node + NODE_NAME_OFFSET;
}

/** Whether a node's name is one label below the apex. */
function isOneLabel({ octets }: ImageView, node: number): boolean {
  return octets[node + NODE_NAME_OFFSET]! + 1 === octets[node + NODE_NAME_LENGTH_OFFSET];
}
