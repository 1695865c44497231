import { EXTENDED_ERROR, RR_TYPE } from '@zonewright/dns-records';
import { NOT_FOUND } from '../image/directory.js';
import { IMAGE_STATE } from '../image/layout.js';
import { apexHash, findRrset, rrsetCount } from '../image/zone-block.js';
import { OUTCOME } from '../message/outcome.js';
import type { QueryContext } from '../message/query-context.js';
import { fail } from '../message/response.js';
import { hashOctet, hashOfWildcardChild } from '../wire/lookup-name.js';
import { FLAG, RCODE } from '../wire/protocol.js';
import { followCname } from './cname.js';
import { denyStandIn, wantsDenial } from './denial.js';
import { followDname } from './dname.js';
import { findZoneOfSearchName } from './find-zone.js';
import { locate, LOCATION, type Location } from './locate.js';
import { writeNodata, writeNxdomain } from './negative.js';
import { writeAny, writePositive } from './positive.js';
import { writeProofs } from './proofs.js';
import { writeReferral } from './referral.js';

/** Implements RFC 1034 s4.3.2 from step 2 on. */
export function answerFromZones(context: QueryContext): void {
  context.zone = findZoneOfSearchName(context);
  if (context.zone === NOT_FOUND) {
    refuseUnknownName(context);
    return;
  }
  context.zoneOfQuestion = context.zone;
  // Each CNAME restarts the search with its target (step 3a); followCname() ends loops.
  while (answerSearchName(context));
  writeProofs(context);
}

/**
 * Handles a name that is not in any zone of this server. Until all zones are loaded, the name may still belong to
 * this server.
 */
function refuseUnknownName(context: QueryContext): void {
  if (context.image.state === IMAGE_STATE.LOADING) {
    fail(context, OUTCOME.SERVFAIL, RCODE.SERVFAIL, EXTENDED_ERROR.NOT_READY);
  } else {
    fail(context, OUTCOME.REFUSED, RCODE.REFUSED, EXTENDED_ERROR.NOT_AUTHORITATIVE);
  }
}

/** Answers the search name. Returns true if the search continues with another name. */
function answerSearchName(context: QueryContext): boolean {
  const location = locate(context);
  identifyAnswer(context, location);
  if (location === LOCATION.CUT) {
    writeReferral(context);
    return false;
  }
  context.flags |= FLAG.AA;
  // The signature shows that a wildcard was expanded; the proof shows that this was allowed (RFC 4035 s3.1.3.3).
  if (location === LOCATION.WILDCARD && wantsDenial(context)) denyStandIn(context);
  switch (location) {
    case LOCATION.MISSING:
      writeNxdomain(context);
      return false;
    case LOCATION.ABOVE_ZONES:
      writeNodata(context);
      return false;
    case LOCATION.DNAME:
      return followDname(context);
    case LOCATION.CHILD:
      writeDs(context);
      return false;
    default:
      return answerFromNode(context);
  }
}

/** Writes the DS RRset or NODATA. The child answers for all other types at the name (RFC 4035 s3.1.4.1). */
function writeDs(context: QueryContext): void {
  const { image, node } = context;
  const ds = node === NOT_FOUND ? NOT_FOUND : findRrset(image, node, RR_TYPE.DS);
  if (ds === NOT_FOUND) writeNodata(context);
  else writePositive(context, ds);
}

/** Answers from the node of the name itself, or from its source of synthesis. */
function answerFromNode(context: QueryContext): boolean {
  const { image, node, qtype } = context;
  if (qtype === RR_TYPE.ANY && rrsetCount(image, node) > 0) {
    writeAny(context);
    return false;
  }
  const rrset = findRrset(image, node, qtype);
  if (qtype === RR_TYPE.RRSIG && rrset !== NOT_FOUND) {
    writeAny(context);
    return false;
  }
  if (rrset !== NOT_FOUND) {
    writePositive(context, rrset);
    return false;
  }
  const cname = findRrset(image, node, RR_TYPE.CNAME);
  if (cname !== NOT_FOUND) return followCname(context, cname);
  writeNodata(context);
  return false;
}

/**
 * Sets `context.answerIdentity` from the result of the lookup: a node, a wildcard, a cut, or a missing name of the
 * zone. Parts of the question that a flood could vary without getting another answer are left out.
 */
function identifyAnswer(context: QueryContext, location: Location): void {
  // Only the question matters, since its CNAMEs lead to the same names each time.
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
