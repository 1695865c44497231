import { RR_TYPE } from '@zonewright/dns-records';

import { NOT_FOUND } from '../image/directory.js';
import { findRrset, firstRdata, rdataLength, rrsetTtl } from '../image/zone-block.js';
import { joinLookupNames, readLookupName } from '../wire/lookup-name.js';
import { RCODE } from '../wire/protocol.js';
import { addToChain, isInChain } from './cname.js';
import { findZoneOfSearchName } from './find-zone.js';
import { OUTCOME } from '../message/outcome.js';
import { MAX_CNAME_CHAIN, type QueryContext } from '../message/query-context.js';
import { closeSections, conclude, setTruncated } from '../message/response.js';
import { SECTION, writeCname } from '../message/response-writer.js';
import { writeSigned } from './signatures.js';

/**
 * Writes the DNAME above the search name and a CNAME made from it, and makes its target the search name (RFC 6672
 * s3.2). Returns true if the search continues. A target that is too long is YXDOMAIN (s2.2).
 */
export function followDname(context: QueryContext): boolean {
  const { image, node, qtype, searchName, targetName } = context;
  const dname = findRrset(image, node, RR_TYPE.DNAME);
  conclude(context, OUTCOME.CNAME, RCODE.NOERROR);
  if (context.chainLength === MAX_CNAME_CHAIN || isInChain(context, dname)) return false;
  const isWritten = writeDname(context, dname);
  if (!substitute(context, dname)) {
    conclude(context, OUTCOME.CNAME, RCODE.YXDOMAIN);
    return false;
  }
  const ttl = rrsetTtl(image, dname);
  if (!isWritten || !writeCname(context.response, searchName, ttl, targetName)) {
    setTruncated(context);
    closeSections(context);
  }
  // The query asked for the CNAME.
  if (qtype === RR_TYPE.CNAME) {
    conclude(context, OUTCOME.ANSWER, RCODE.NOERROR);
    return false;
  }
  addToChain(context, dname);
  context.searchName = targetName;
  context.targetName = searchName;
  context.zone = findZoneOfSearchName(context);
  return context.zone !== NOT_FOUND;
}

/** Writes the DNAME once, however often it occurs in a chain. Returns false and sets TC if it does not fit. */
function writeDname(context: QueryContext, dname: number): boolean {
  const { image, response, searchName, nodeAncestor, chain, chainLength } = context;
  for (let i = 0; i < chainLength; i++) if (chain[i] === dname) return true;
  response.section = SECTION.ANSWER;
  const ttl = rrsetTtl(image, dname);
  if (writeSigned(context, dname, searchName, nodeAncestor, ttl)) return true;
  setTruncated(context);
  return false;
}

/** Puts the name that the search name becomes into `context.targetName`. Returns false if that is too long. */
function substitute(context: QueryContext, dname: number): boolean {
  const { image, searchName, nodeAncestor, targetName, composedName } = context;
  const rdata = firstRdata(dname);
  const start = rdata + 2;
  readLookupName(composedName, image.octets, start, start + rdataLength(image, rdata));
  return joinLookupNames(targetName, searchName, nodeAncestor, composedName);
}
