import { RR_TYPE } from '@zonewright/dns-records';

import { NOT_FOUND } from '../image/directory.js';
import { findRrset, isSignedZone } from '../image/zone-block.js';
import { findCovering } from '../image/zone-order.js';
import { isOrderedByHash } from '../image/zone-proofs.js';
import { denyNameByHash, denyStandInByHash, proveNodeByHash } from './hashed-denial.js';
import { addProof } from './proofs.js';
import type { QueryContext } from './query-context.js';

/** Does the answer to this query say why something is not there? */
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

/** Proves that the node has not the type (RFC 4035 s3.1.3.1, s3.1.3.4). If it has no NSEC, that it has no records. */
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
