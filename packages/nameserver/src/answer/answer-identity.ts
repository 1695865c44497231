import { apexHash } from '../image/zone-block.js';
import { hashOctet, hashOfWildcardChild } from '../wire/name-hash.js';
import { LOCATION, type Location } from './locate.js';
import type { QueryContext } from './query-context.js';

/**
 * Sets `context.answerIdentity` from the result of the lookup: a node, a wildcard, a cut, or a missing name of the
 * zone. Parts of the question that a flood could vary without getting another answer are left out.
 */
export function identifyAnswer(context: QueryContext, location: Location): void {
  // The question decides; CNAMEs lead from it to the same names each time.
  if (context.chainLength > 0) return;
  const withLocation = hashOctet(hashOfOrigin(context, location), location);
  context.answerIdentity =
    location === LOCATION.NODE ? hashOctet(withLocation, context.qtype) : withLocation;
}

function hashOfOrigin(context: QueryContext, location: Location): number {
  const { image, zone, searchName, nodeAncestor } = context;
  const nodeHash = searchName.hashes[nodeAncestor] ?? 0;
  switch (location) {
    case LOCATION.MISSING:
      return apexHash(image, zone);
    case LOCATION.WILDCARD:
      return hashOfWildcardChild(nodeHash);
    default:
      return nodeHash;
  }
}
