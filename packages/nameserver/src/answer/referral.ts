import { RR_TYPE } from '@zonewright/dns-records';

import { NOT_FOUND } from '../image/directory.js';
import {
  findNode,
  findRrset,
  firstRdata,
  nextRdata,
  rrsetRecords,
  rrsetTtl,
} from '../image/zone-block.js';
import { isAtOrBelow } from '../wire/lookup-name.js';
import { RCODE } from '../wire/protocol.js';
import { SECTION, writeRrset } from '../message/response-writer.js';
import { readTarget, writeAdditional, writeAddressesOf } from './additional.js';
import { denyType, wantsDenial } from './denial.js';
import { OUTCOME } from '../message/outcome.js';
import { writeProofs } from './proofs.js';
import type { QueryContext } from '../message/query-context.js';
import { conclude, setTruncated } from '../message/response.js';
import { writeSigned } from './signatures.js';

/** Writes the NS of the cut and the addresses of its nameservers (RFC 1034 s4.2.1, s4.3.2 step 3b). */
export function writeReferral(context: QueryContext): void {
  const { response, image, node, searchName } = context;
  conclude(context, OUTCOME.REFERRAL, RCODE.NOERROR);
  const ns = findRrset(image, node, RR_TYPE.NS);
  const ttl = rrsetTtl(image, ns);
  response.section = SECTION.AUTHORITY;
  if (!writeRrset(response, image, ns, searchName, context.nodeAncestor, ttl)) {
    setTruncated(context);
  } else if (!writeDelegationSigner(context)) {
    setTruncated(context);
  } else if (writeGlue(context, ns)) {
    writeAdditional(context, ns);
  } else {
    setTruncated(context);
  }
}

/**
 * Writes the DS, or the NSEC or NSEC3 that proves its absence (RFC 4035 s3.1.4, RFC 5155 s7.2.7), with the proofs on
 * the way to the cut. Returns false if that does not fit.
 */
function writeDelegationSigner(context: QueryContext): boolean {
  const { image, node, searchName, nodeAncestor } = context;
  if (!wantsDenial(context)) return true;
  const ds = findRrset(image, node, RR_TYPE.DS);
  const rrset = ds === NOT_FOUND ? findRrset(image, node, RR_TYPE.NSEC) : ds;
  if (rrset === NOT_FOUND) {
    denyType(context);
  } else if (!writeSigned(context, rrset, searchName, nodeAncestor, rrsetTtl(image, rrset))) {
    return false;
  }
  writeProofs(context);
  return !context.isTruncated;
}

/**
 * Writes the addresses of nameservers whose names are at or below the cut. The referral is useless without them, so
 * all must fit (RFC 9471 s3.1).
 */
function writeGlue(context: QueryContext, ns: number): boolean {
  const { image, zone, searchName, targetName } = context;
  context.response.section = SECTION.ADDITIONAL;
  let rdata = firstRdata(ns);
  for (let left = rrsetRecords(image, ns); left > 0; left--) {
    readTarget(context, RR_TYPE.NS, rdata);
    rdata = nextRdata(image, rdata);
    if (!isAtOrBelow(targetName, searchName, context.nodeAncestor)) continue;
    const node = findNode(image, zone, targetName, 0);
    if (node !== NOT_FOUND && !writeAddressesOf(context, node)) return false;
  }
  return true;
}
