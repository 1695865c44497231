import { RR_TYPE } from '@zonewright/dns-records';
import { NOT_FOUND } from '../image/directory.js';
import { NODE_FLAG } from '../image/layout.js';
import { findNode, findRrset, hasNodeFlag, isSignedZone } from '../image/zone-block.js';
import { findCovering } from '../image/zone-order.js';
import {
  coveringProof,
  digestParameters,
  findProof,
  isOrderedByHash,
  matchingProof,
  wildcardProof,
} from '../image/zone-proofs.js';
import type { QueryContext } from '../message/query-context.js';
import { digestName } from '../wire/name-digest.js';
import { copyOctets } from '../wire/octets.js';
import { MAX_NAME_OCTETS } from '../wire/protocol.js';
import { addProof } from './proofs.js';

/** Whether the answer to this query must prove denials. */
export function wantsDenial({ edns, image, zone }: QueryContext): boolean {
  return edns.isDnssecOk && isSignedZone(image, zone);
}

/** Proves that neither the search name exists nor a wildcard at its closest encloser (RFC 4035 s3.1.3.2). */
export function denyName(context: QueryContext): void {
  if (isOrderedByHash(context.image, context.zone)) {
    denyNameByHash(context);
    return;
  }
  denySearchName(context);
  denyWildcard(context, context.nodeAncestor);
}

/** Proves that the search name, for which a wildcard answers, does not exist (RFC 4035 s3.1.3.3). */
export function denyStandIn(context: QueryContext): void {
  if (isOrderedByHash(context.image, context.zone)) denyStandInByHash(context);
  else denySearchName(context);
}

/**
 * Proves that the node does not have the type (RFC 4035 s3.1.3.1, s3.1.3.4). If it has no NSEC, proves that it has no
 * records.
 */
export function denyType(context: QueryContext): void {
  const { image, zone, node, nodeAncestor } = context;
  if (isOrderedByHash(image, zone)) {
    proveNodeByHash(context);
    return;
  }
  const nsec = node === NOT_FOUND ? NOT_FOUND : findRrset(image, node, RR_TYPE.NSEC);
  if (nsec !== NOT_FOUND) addProof(context, zone, node);
  else if (nodeAncestor === 0) denySearchName(context);
  else denyWildcard(context, nodeAncestor);
}

/** Adds the NSEC at or before the search name. */
function denySearchName(context: QueryContext): void {
  const { image, zone, searchName } = context;
  addProof(context, zone, findCovering(image, zone, searchName, 0, false));
}

/** Adds the NSEC at or before the wildcard below this ancestor of the search name. */
function denyWildcard(context: QueryContext, ancestor: number): void {
  const { image, zone, searchName } = context;
  addProof(context, zone, findCovering(image, zone, searchName, ancestor, true));
}

/*
 * Denial by NSEC3 (RFC 5155 s7.2). Proofs of names that exist are found when the zone is compiled. A query costs one hash, for the next
 * closer name, and a second one if the closest encloser has no names below it.
 */

/** Proves the closest encloser, and denies the next closer name and the wildcard (s7.2.2). */
function denyNameByHash(context: QueryContext): void {
  const { image, zone, node, nodeAncestor } = context;
  const own = node === NOT_FOUND ? NOT_FOUND : matchingProof(image, zone, node);
  if (own === NOT_FOUND) {
    const encloser = proveEncloser(context, nodeAncestor);
    addProof(context, zone, proofOfWildcard(context, encloser));
    return;
  }
  // The node is known, so no further lookup is needed.
  addProof(context, zone, own);
  addProof(context, zone, proofOfMissingName(context, nodeAncestor - 1));
  const wildcard = wildcardProof(image, zone, node);
  addProof(
    context,
    zone,
    wildcard === NOT_FOUND ? proofOfWildcard(context, nodeAncestor) : wildcard,
  );
}

/** Denies the next closer name. The wildcard's owner shows the closest encloser (s7.2.6). */
function denyStandInByHash(context: QueryContext): void {
  addProof(context, context.zone, proofOfMissingName(context, context.nodeAncestor - 1));
}

/**
 * Adds the node's own NSEC3 (s7.2.3). For a wildcard, also adds the NSEC3 of the closest encloser (s7.2.5). If
 * opt-out has no NSEC3 for the name, adds the NSEC3 of the closest encloser that has one. Also adds a proof that the
 * next closer name may be an unsigned delegation (s7.2.4, s7.2.7).
 */
function proveNodeByHash(context: QueryContext): void {
  const { image, zone, node, nodeAncestor, searchName } = context;
  const own = node === NOT_FOUND ? NOT_FOUND : matchingProof(image, zone, node);
  if (own === NOT_FOUND) {
    proveEncloser(context, nodeAncestor);
    return;
  }
  addProof(context, zone, own);
  const encloser = findNode(image, zone, searchName, nodeAncestor);
  if (encloser !== node) proveEncloser(context, nodeAncestor);
}

/**
 * Proves the closest encloser, searched from this ancestor of the search name upwards, and denies the next closer name.
 * Returns the ancestor's number. The apex has an NSEC3, so the search ends.
 */
function proveEncloser(context: QueryContext, from: number): number {
  const { image, zone, searchName } = context;
  for (let ancestor = from; ; ancestor++) {
    const node = findNode(image, zone, searchName, ancestor);
    if (node === NOT_FOUND || hasNodeFlag(image, node, NODE_FLAG.PROOF)) continue;
    const proof = matchingProof(image, zone, node);
    if (proof === NOT_FOUND) continue;
    addProof(context, zone, proof);
    addProof(context, zone, proofOfName(context, ancestor - 1));
    return ancestor;
  }
}

/** Returns the NSEC3 that covers this ancestor of the search name. */
function proofOfName(context: QueryContext, ancestor: number): number {
  const { image, zone, searchName } = context;
  const node = findNode(image, zone, searchName, ancestor);
  const isLeftOut = node !== NOT_FOUND && !hasNodeFlag(image, node, NODE_FLAG.PROOF);
  const known = isLeftOut ? coveringProof(image, zone, node) : NOT_FOUND;
  return known === NOT_FOUND ? proofOfMissingName(context, ancestor) : known;
}

/** Returns the NSEC3 that covers this ancestor, for a name without a node or with only an NSEC3. */
function proofOfMissingName(context: QueryContext, ancestor: number): number {
  const { image, zone, searchName } = context;
  const parameters = digestParameters(image, zone);
  const start = searchName.starts[ancestor] ?? 0;
  digestName(image.octets, parameters, searchName.lower, start, searchName.length);
  return findProof(image, zone);
}

const wildcardName = new Uint8Array(MAX_NAME_OCTETS + 2);

wildcardName.set([1, 0x2a]);

function proofOfWildcard(context: QueryContext, ancestor: number): number {
  const { image, zone, searchName } = context;
  const known = wildcardProof(image, zone, findNode(image, zone, searchName, ancestor));
  if (known !== NOT_FOUND) return known;
  const start = searchName.starts[ancestor] ?? 0;
  const length = searchName.length - start;
  copyOctets(wildcardName, 2, searchName.lower, start, length);
  digestName(image.octets, digestParameters(image, zone), wildcardName, 0, length + 2);
  return findProof(image, zone);
}
