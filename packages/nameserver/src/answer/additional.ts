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
import { rdataNameOffset } from '../wire/rdata-names.js';
import { SECTION, writeRrset } from './response-writer.js';
import { findZone } from './find-zone.js';
import { OUTCOME } from './outcome.js';
import { MAX_ADDITIONAL_RRSETS, type QueryContext } from './query-context.js';

/**
 * Addresses of the names that an RRset leads to, as far as they are in our zones (RFC 1035 s3.3.9, s3.3.11, RFC 2782).
 * What does not fit is left out without a word (RFC 2181 s9). They are looked up when they are asked for, which costs a
 * probe of the index for each, and not stored beforehand: so a zone can change without those that point into it.
 */
export function writeAdditional(context: QueryContext, rrset: number): void {
  const { image } = context;
  const type = rrsetType(image, rrset);
  if (type !== RR_TYPE.MX && type !== RR_TYPE.SRV && type !== RR_TYPE.NS) return;
  context.response.section = SECTION.ADDITIONAL;
  let rdata = firstRdata(rrset);
  for (let left = rrsetRecords(image, rrset); left > 0; left--) {
    readTarget(context, type, rdata);
    rdata = nextRdata(image, rdata);
    const node = findTargetNode(context, type);
    if (node === NOT_FOUND || isWrittenAsGlue(context)) continue;
    writeOnce(context, findRrset(image, node, RR_TYPE.A));
    writeOnce(context, findRrset(image, node, RR_TYPE.AAAA));
  }
}

/** Reads the name in a record's rdata into `context.targetName`. */
export function readTarget(context: QueryContext, type: number, rdata: number): void {
  const { image, targetName } = context;
  const start = rdata + 2;
  const end = start + rdataLength(image, rdata);
  readLookupName(targetName, image.octets, start + rdataNameOffset(type), end);
}

/**
 * The target's own node: addresses that a wildcard would give are left to be asked for. Glue is given for nameservers
 * only, as it is no data of ours (RFC 2181 s5.4.1).
 */
function findTargetNode(context: QueryContext, type: number): number {
  const { image, targetName } = context;
  const zone = findZone(context, targetName, 0);
  if (zone === NOT_FOUND) return NOT_FOUND;
  const node = findNode(image, zone, targetName, 0);
  if (node === NOT_FOUND || type === RR_TYPE.NS) return node;
  return hasNodeFlag(image, node, NODE_FLAG.CUT | NODE_FLAG.BELOW_CUT) ? NOT_FOUND : node;
}

function isWrittenAsGlue(context: QueryContext): boolean {
  const { searchName, targetName, nodeAncestor } = context;
  return context.outcome === OUTCOME.REFERRAL && isAtOrBelow(targetName, searchName, nodeAncestor);
}

/** Several records may lead to one name, but an RRset is in a message once. */
function writeOnce(context: QueryContext, rrset: number): void {
  if (rrset === NOT_FOUND || context.addressCount === MAX_ADDITIONAL_RRSETS) return;
  for (let i = 0; i < context.addressCount; i++) {
    if (context.addresses[i] === rrset) return;
  }
  if (writeAddress(context, rrset)) context.addresses[context.addressCount++] = rrset;
}

/** The node's A and AAAA with the target name as owner; false if one does not fit. */
export function writeAddressesOf(context: QueryContext, node: number): boolean {
  const a = findRrset(context.image, node, RR_TYPE.A);
  if (a !== NOT_FOUND && !writeAddress(context, a)) return false;
  const aaaa = findRrset(context.image, node, RR_TYPE.AAAA);
  return aaaa === NOT_FOUND || writeAddress(context, aaaa);
}

function writeAddress(context: QueryContext, rrset: number): boolean {
  const { response, image, targetName } = context;
  return writeRrset(response, image, rrset, targetName, 0, rrsetTtl(image, rrset));
}
