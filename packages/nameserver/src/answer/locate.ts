import { RR_TYPE } from '@zonewright/dns-records';

import { isAboveZones, NOT_FOUND } from '../image/directory.js';
import { NODE_FLAG } from '../image/layout.js';
import { apexNode, findNode, findWildcardChild, hasNodeFlag } from '../image/zone-block.js';
import type { QueryContext } from '../message/query-context.js';

/** Results of a search for a name in its zone (RFC 1034 s4.3.2 step 3). */
export const LOCATION = {
  /** Node of the name (step 3a). */
  NODE: 0,
  /** Cut above the name, outside of the authoritative data (step 3b). */
  CUT: 1,
  /** Source of synthesis (step 3c, RFC 4592 s3.3.1). */
  WILDCARD: 2,
  /** The name does not exist (step 3c). */
  MISSING: 3,
  /** Name between this zone and a hosted zone below it: an empty non-terminal without a node (RFC 4592 s2.2.2). */
  ABOVE_ZONES: 4,
  /** Name below a DNAME, which substitutes it (RFC 6672 s3.2 step 3C). */
  DNAME: 6,
  /** Apex of a hosted child, at which this zone has only the DS. */
  CHILD: 5,
} as const;

export type Location = (typeof LOCATION)[keyof typeof LOCATION];

/**
 * Follows the search name down its zone, `context.zone`. Sets `context.node` to the node of the name, of the cut, of
 * the source of synthesis, or of the closest encloser. Sets `context.nodeAncestor` to the ancestor of the name at
 * this node; for a source of synthesis, to its parent. If only hosted zones make the name exist, the node is
 * NOT_FOUND.
 */
export function locate(context: QueryContext): Location {
  const { image, zone, searchName } = context;
  let ancestor = 0;
  let node = findNode(image, zone, searchName, 0);
  context.node = node;
  context.nodeAncestor = 0;
  if (context.isAskedOfParent) return LOCATION.CHILD;
  // The apex always exists, so the loop ends.
  while (node === NOT_FOUND) node = findNode(image, zone, searchName, ++ancestor);
  context.node = node;
  context.nodeAncestor = ancestor;

  if (hasNodeFlag(image, node, SPECIAL_FLAGS)) return locateSpecial(context);
  return ancestor === 0 ? LOCATION.NODE : locateBelow(context);
}

/** Handles a name that does not exist in the zone. `context.node` is the node of its closest encloser. */
function locateBelow(context: QueryContext): Location {
  if (findNameAboveZones(context))
    return context.nodeAncestor === 0 ? LOCATION.ABOVE_ZONES : LOCATION.MISSING;
  const { image, zone, searchName, node, nodeAncestor } = context;
  if (!hasNodeFlag(image, node, NODE_FLAG.WILDCARD_CHILD)) return LOCATION.MISSING;
  context.node = findWildcardChild(image, zone, searchName, nodeAncestor);
  return LOCATION.WILDCARD;
}

const SPECIAL_FLAGS = NODE_FLAG.CUT | NODE_FLAG.BELOW_CUT | NODE_FLAG.DNAME | NODE_FLAG.PROOF;

/** Handles a node that is a cut, has a DNAME, is below one of them, or has only NSEC3. */
function locateSpecial(context: QueryContext): Location {
  const { image } = context;
  if (hasNodeFlag(image, context.node, NODE_FLAG.PROOF)) passOverProof(context);
  climbOutOfHiding(context);
  if (hasNodeFlag(image, context.node, NODE_FLAG.CUT)) {
    return isAnsweredByParent(context) ? LOCATION.CHILD : LOCATION.CUT;
  }
  if (context.nodeAncestor === 0) return LOCATION.NODE;
  return hasNodeFlag(image, context.node, NODE_FLAG.DNAME) ? LOCATION.DNAME : locateBelow(context);
}

/** Skips the node of an NSEC3, which is directly below the apex and does not exist as a name (RFC 5155 s7.2.8). */
function passOverProof(context: QueryContext): void {
  context.nodeAncestor++;
  context.node = apexNode(context.image, context.zone);
}

/** Whether the parent answers: DS belongs to its side of a cut (RFC 4035 s3.1.4.1). */
function isAnsweredByParent({ qtype, nodeAncestor }: QueryContext): boolean {
  return qtype === RR_TYPE.DS && nodeAncestor === 0;
}

/**
 * Whether a hosted zone makes the name exist, or an ancestor of it below the closest encloser found so far. Such an
 * ancestor is the closest encloser. This zone has no node there and therefore no wildcard below it.
 */
function findNameAboveZones(context: QueryContext): boolean {
  for (let ancestor = 0; ancestor < context.nodeAncestor; ancestor++) {
    if (!isAboveZones(context.image, context.searchName, ancestor)) continue;
    context.node = NOT_FOUND;
    context.nodeAncestor = ancestor;
    return true;
  }
  return false;
}

/** Goes up to the highest cut or DNAME, which hides those below it (RFC 1034 s4.2.1, RFC 6672 s2.3). */
function climbOutOfHiding(context: QueryContext): void {
  const { image, zone, searchName } = context;
  while (hasNodeFlag(image, context.node, NODE_FLAG.BELOW_CUT)) {
    context.nodeAncestor++;
    context.node = findNode(image, zone, searchName, context.nodeAncestor);
  }
}
