import { RR_TYPE } from '@zonewright/dns-records';

import { isAboveZones, NOT_FOUND } from '../image/directory.js';
import { NODE_FLAG } from '../image/layout.js';
import { apexNode, findNode, findWildcardChild, hasNodeFlag } from '../image/zone-block.js';
import type { QueryContext } from './query-context.js';

/** Where a name leads in its zone (RFC 1034 s4.3.2 step 3). */
export const LOCATION = {
  /** 3a: to the node of that name. */
  NODE: 0,
  /** 3b: out of the authoritative data, at a cut on the way to it. */
  CUT: 1,
  /** 3c: to a source of synthesis (RFC 4592 s3.3.1). */
  WILDCARD: 2,
  /** 3c: nowhere, the name does not exist. */
  MISSING: 3,
  /** Between this zone and a hosted one below it: an empty non-terminal without a node (RFC 4592 s2.2.2). */
  ABOVE_ZONES: 4,
  /** To a hosted child, of which this zone has the parent's side of the cut: DS, and nothing else. */
  CHILD: 5,
} as const;

export type Location = (typeof LOCATION)[keyof typeof LOCATION];

/**
 * Follows the search name down its zone, `context.zone`. Leaves in `context.node` the node of the name, of the cut, of
 * the source of synthesis, or of the closest encloser, and in `context.nodeAncestor` which ancestor of the name that is
 * (for a source of synthesis: its parent). A name that hosted zones alone make exist has no node: then NOT_FOUND.
 */
export function locate(context: QueryContext): Location {
  const { image, zone, searchName } = context;
  let ancestor = 0;
  let node = findNode(image, zone, searchName, 0);
  context.node = node;
  context.nodeAncestor = 0;
  if (context.isAskedOfParent) return LOCATION.CHILD;
  // The apex is always there, so this ends.
  while (node === NOT_FOUND) node = findNode(image, zone, searchName, ++ancestor);
  context.node = node;
  context.nodeAncestor = ancestor;

  if (hasNodeFlag(image, node, NODE_FLAG.CUT | NODE_FLAG.BELOW_CUT | NODE_FLAG.PROOF)) {
    if (hasNodeFlag(image, node, NODE_FLAG.PROOF)) return locateProof(context);
    if (isAnsweredByParent(context)) return LOCATION.CHILD;
    climbToCut(context);
    return LOCATION.CUT;
  }
  return ancestor === 0 ? LOCATION.NODE : locateBelow(context);
}

/** The name does not exist in the zone. `context.node` is that of its closest encloser. */
function locateBelow(context: QueryContext): Location {
  if (findNameAboveZones(context))
    return context.nodeAncestor === 0 ? LOCATION.ABOVE_ZONES : LOCATION.MISSING;
  const { image, zone, searchName, node, nodeAncestor } = context;
  if (!hasNodeFlag(image, node, NODE_FLAG.WILDCARD_CHILD)) return LOCATION.MISSING;
  context.node = findWildcardChild(image, zone, searchName, nodeAncestor);
  return LOCATION.WILDCARD;
}

/** NSEC3 are at names directly below the apex, which do not exist (RFC 5155 s7.2.8). */
function locateProof(context: QueryContext): Location {
  context.nodeAncestor++;
  context.node = apexNode(context.image, context.zone);
  return locateBelow(context);
}

/** DS belongs to the parent's side of a cut (RFC 4035 s3.1.4.1). */
function isAnsweredByParent(context: QueryContext): boolean {
  return (
    context.qtype === RR_TYPE.DS &&
    context.nodeAncestor === 0 &&
    !hasNodeFlag(context.image, context.node, NODE_FLAG.BELOW_CUT)
  );
}

/**
 * Does a hosted zone make the name, or an ancestor of it below the closest encloser found so far, exist? Then that is the
 * closest encloser, and as nothing of this zone stands there no wildcard does either.
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

/** To the highest cut: what stands below it, further cuts too, is not ours to say (RFC 1034 s4.2.1). */
function climbToCut(context: QueryContext): void {
  const { image, zone, searchName } = context;
  while (hasNodeFlag(image, context.node, NODE_FLAG.BELOW_CUT)) {
    context.nodeAncestor++;
    context.node = findNode(image, zone, searchName, context.nodeAncestor);
  }
}
