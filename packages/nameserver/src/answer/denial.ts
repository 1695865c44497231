import { RR_TYPE } from '@zonewright/dns-records';

import { NOT_FOUND } from '../image/directory.js';
import { isOneLabel, nodeLabels, readNodeName } from '../image/node-name.js';
import { apexNode, findRrset, isSignedZone, rrsetTtl } from '../image/zone-block.js';
import { findCovering } from '../image/zone-order.js';
import { apexAncestor } from './find-zone.js';
import type { QueryContext } from './query-context.js';
import { setTruncated } from './response.js';
import { NO_POINTER, pointerToQuestion, SECTION } from './response-writer.js';
import { writeSigned, writeSignedBelow } from './signatures.js';

/** Does the answer to this query say why something is not there? */
export function wantsDenial({ edns, image, zone }: QueryContext): boolean {
  return edns.isDnssecOk && isSignedZone(image, zone);
}

/** That the search name itself is not there: it does not exist, or is one without records of its own. */
export function denySearchName(context: QueryContext): void {
  const { image, zone, searchName } = context;
  addProof(context, zone, findCovering(image, zone, searchName, 0, false));
}

/** That there is no wildcard at the closest encloser, which is this ancestor of the search name (RFC 4035 s3.1.3.2). */
export function denyWildcard(context: QueryContext, ancestor: number): void {
  const { image, zone, searchName } = context;
  addProof(context, zone, findCovering(image, zone, searchName, ancestor, true));
}

/** That the node has not the type (RFC 4035 s3.1.3.1, s3.1.3.4). One without records has no NSEC: then, that it is one. */
export function denyType(context: QueryContext): void {
  const { image, zone, node, nodeAncestor } = context;
  const nsec = node === NOT_FOUND ? NOT_FOUND : findRrset(image, node, RR_TYPE.NSEC);
  if (nsec !== NOT_FOUND) addProof(context, zone, node);
  else if (nodeAncestor === 0) denySearchName(context);
  else denyWildcard(context, nodeAncestor);
}

/** The NSEC of this node will be in the authority section: once. */
function addProof(context: QueryContext, zone: number, node: number): void {
  const { proofs } = context;
  for (let i = 0; i < context.proofCount; i += 2) if (proofs[i + 1] === node) return;
  if (context.proofCount === proofs.length) return;
  proofs[context.proofCount++] = zone;
  proofs[context.proofCount++] = node;
}

/** Writes the proofs that have come together, between the answer and what is additional. */
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
  const nsec = findRrset(image, node, RR_TYPE.NSEC);
  const isSearched = zone === context.zone;
  if (isSearched && node === apexNode(image, zone)) {
    return writeSigned(context, nsec, searchName, apexAncestor(context), rrsetTtl(image, nsec));
  }
  if (isSearched && isOneLabel(image, node)) {
    const apex = pointerToQuestion(context.response, searchName, apexAncestor(context));
    if (apex !== NO_POINTER) return writeSignedBelow(context, nsec, nodeLabels(node), apex);
  }
  readNodeName(composedName, image, zone, node);
  return writeSigned(context, nsec, composedName, 0, rrsetTtl(image, nsec));
}
