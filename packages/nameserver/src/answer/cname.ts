import { NOT_FOUND } from '../image/directory.js';
import { firstRdata, rdataLength } from '../image/zone-block.js';
import { readLookupName } from '../wire/lookup-name.js';
import { RCODE } from '../wire/protocol.js';
import { findZoneOfSearchName } from './find-zone.js';
import { OUTCOME } from '../message/outcome.js';
import { MAX_CNAME_CHAIN, type QueryContext } from '../message/query-context.js';
import { writeAnswer } from './positive.js';
import { closeSections, conclude } from '../message/response.js';

/**
 * Writes a CNAME and makes its target the search name (RFC 1034 s4.3.2 step 3a). Returns true if the target must be
 * looked up, false if the chain ends: it loops, is too long, or its target is in none of our zones. A CNAME that does
 * not fit is followed without being written, because the end of the chain decides the RCODE (RFC 6604 s3).
 */
export function followCname(context: QueryContext, cname: number): boolean {
  conclude(context, OUTCOME.CNAME, RCODE.NOERROR);
  if (context.chainLength === MAX_CNAME_CHAIN || isInChain(context, cname)) return false;
  const { image, searchName } = context;
  if (!writeAnswer(context, cname)) closeSections(context);
  addToChain(context, cname);
  const rdata = firstRdata(cname) + 2;
  readLookupName(searchName, image.octets, rdata, rdata + rdataLength(image, firstRdata(cname)));
  context.zone = findZoneOfSearchName(context);
  return context.zone !== NOT_FOUND;
}

/** Notes that the CNAME or DNAME was followed, before the search name changes. */
export function addToChain(context: QueryContext, rrset: number): void {
  context.chain[context.chainLength] = rrset;
  context.chainOwners[context.chainLength] = context.searchName.hashes[0] ?? 0;
  context.chainLength++;
  context.response.question = null;
}

/**
 * Whether a CNAME was already followed for this name. A wildcard CNAME may be followed from the question's name and
 * then once from another.
 */
export function isInChain(context: QueryContext, rrset: number): boolean {
  const owner = context.searchName.hashes[0] ?? 0;
  for (let i = 0; i < context.chainLength; i++) {
    if (context.chain[i] === rrset && context.chainOwners[i] === owner) return true;
  }
  return false;
}
