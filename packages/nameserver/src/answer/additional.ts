import { RR_TYPE } from '@zonewright/dns-records';

import { NOT_FOUND } from '../image/directory.js';
import { NODE_FLAG } from '../image/layout.js';
import {
  findNode,
  findRrset,
  firstRdata,
  hasNodeFlag,
  nextRdata,
  rdataLength,
  rrsetRecords,
  rrsetTtl,
  rrsetType,
} from '../image/zone-block.js';
import { isAtOrBelow, readLookupName } from '../wire/lookup-name.js';
import { readUint16 } from '../wire/octets.js';
import { targetOffset } from '../wire/rdata-names.js';
import { SECTION } from '../message/response-writer.js';
import { writeSigned } from './signatures.js';
import { findZone } from './find-zone.js';
import { OUTCOME } from '../message/outcome.js';
import { MAX_ADDITIONAL_RRSETS, type QueryContext } from '../message/query-context.js';

/** Value of furtherTypeOf() for types that add addresses only (RFC 9460 s4.1, RFC 3403 s4.1). */
const NO_TYPE = 0;

/**
 * Adds the addresses of the names that an RRset leads to, if they are in our zones (RFC 1035 s3.3.9, s3.3.11, RFC
 * 2782). Addresses that do not fit are omitted without TC (RFC 2181 s9). The lookup costs one probe of the index per
 * name. The addresses are not stored beforehand, so a zone can change without the zones that point into it.
 */
export function writeAdditional(context: QueryContext, rrset: number): void {
  const { image } = context;
  const type = rrsetType(image, rrset);
  if (!hasTarget(type)) return;
  const furtherType = furtherTypeOf(type);
  context.response.section = SECTION.ADDITIONAL;
  let rdata = firstRdata(rrset);
  for (let left = rrsetRecords(image, rrset); left > 0; left--) {
    const isRead = readTarget(context, type, rdata);
    rdata = nextRdata(image, rdata);
    const node = isRead ? findTargetNode(context, type) : NOT_FOUND;
    if (node === NOT_FOUND || isWrittenAsGlue(context)) continue;
    const further = furtherType === NO_TYPE ? NOT_FOUND : findRrset(image, node, furtherType);
    // A service whose target is its own owner is already in the answer.
    if (further !== rrset) writeOnce(context, further);
    writeOnce(context, findRrset(image, node, RR_TYPE.A));
    writeOnce(context, findRrset(image, node, RR_TYPE.AAAA));
  }
}

function hasTarget(type: number): boolean {
  switch (type) {
    case RR_TYPE.NS:
    case RR_TYPE.MX:
    case RR_TYPE.SRV:
    case RR_TYPE.SVCB:
    case RR_TYPE.HTTPS:
    case RR_TYPE.NAPTR:
      return true;
    default:
      return false;
  }
}

/**
 * Returns the type of further records at a target: an alias target has a record of the same type, and the target of a
 * NAPTR rule has an SRV record.
 */
function furtherTypeOf(type: number): number {
  if (type === RR_TYPE.SVCB || type === RR_TYPE.HTTPS) return type;
  return type === RR_TYPE.NAPTR ? RR_TYPE.SRV : NO_TYPE;
}

/** Reads the name that a record points to into `context.targetName`. Returns false if there is none. */
export function readTarget(context: QueryContext, type: number, rdata: number): boolean {
  const { image, targetName, searchName } = context;
  const start = rdata + 2;
  const end = start + rdataLength(image, rdata);
  const at = targetOffset(type, image.octets, start, end);
  if (readLookupName(targetName, image.octets, at, end) === -1) return false;
  const isOwner = targetName.labels === 0 && isService(type, image.octets, start);
  // RFC 9460 s2.5.2: "." stands for the owner.
  if (isOwner) readLookupName(targetName, searchName.spelled, 0, searchName.length);
  return true;
}

/** Priority 0 is an alias, for which "." means that there is no service (RFC 9460 s2.5.1). */
function isService(type: number, octets: Uint8Array, start: number): boolean {
  return (type === RR_TYPE.SVCB || type === RR_TYPE.HTTPS) && readUint16(octets, start) > 0;
}

/**
 * Returns the target's own node. Addresses from a wildcard are not added; the client can query for them. Glue is
 * given for nameservers only, because it is not our data (RFC 2181 s5.4.1).
 */
function findTargetNode(context: QueryContext, type: number): number {
  const { image, targetName } = context;
  const zone = findZone(context, targetName, 0);
  if (zone === NOT_FOUND) return NOT_FOUND;
  const node = findNode(image, zone, targetName, 0);
  if (node === NOT_FOUND) return node;
  if (type === RR_TYPE.NS) return isBelowDname(context, zone, node) ? NOT_FOUND : node;
  return hasNodeFlag(image, node, NODE_FLAG.CUT | NODE_FLAG.BELOW_CUT) ? NOT_FOUND : node;
}

/** Whether a DNAME hides the node. Data below a DNAME does not exist; data below a cut is glue. */
function isBelowDname({ image, targetName }: QueryContext, zone: number, node: number): boolean {
  let top = node;
  for (let ancestor = 1; hasNodeFlag(image, top, NODE_FLAG.BELOW_CUT); ancestor++) {
    top = findNode(image, zone, targetName, ancestor);
  }
  return top !== node && !hasNodeFlag(image, top, NODE_FLAG.CUT);
}

function isWrittenAsGlue(context: QueryContext): boolean {
  const { searchName, targetName, nodeAncestor } = context;
  return context.outcome === OUTCOME.REFERRAL && isAtOrBelow(targetName, searchName, nodeAncestor);
}

/** Several records may have the same target, but a message contains an RRset once. */
function writeOnce(context: QueryContext, rrset: number): void {
  if (rrset === NOT_FOUND || context.addressCount === MAX_ADDITIONAL_RRSETS) return;
  for (let i = 0; i < context.addressCount; i++) {
    if (context.addresses[i] === rrset) return;
  }
  if (writeAddress(context, rrset)) context.addresses[context.addressCount++] = rrset;
}

/** Writes the node's A and AAAA with the target name as owner. Returns false if one does not fit. */
export function writeAddressesOf(context: QueryContext, node: number): boolean {
  const a = findRrset(context.image, node, RR_TYPE.A);
  if (a !== NOT_FOUND && !writeAddress(context, a)) return false;
  const aaaa = findRrset(context.image, node, RR_TYPE.AAAA);
  return aaaa === NOT_FOUND || writeAddress(context, aaaa);
}

function writeAddress(context: QueryContext, rrset: number): boolean {
  const { image, targetName } = context;
  return writeSigned(context, rrset, targetName, 0, rrsetTtl(image, rrset));
}
