import { EXTENDED_ERROR, RR_TYPE } from '@zonewright/dns-records';

import { NOT_FOUND } from '../image/directory.js';
import { apexNode, findRrset, negativeTtl } from '../image/zone-block.js';
import { FLAG, RCODE } from '../wire/protocol.js';
import { denyName, denyType, wantsDenial } from './denial.js';
import { conclude, fail, setTruncated } from '../message/response.js';
import { SECTION } from '../message/response-writer.js';
import { apexAncestor } from './find-zone.js';
import { OUTCOME } from '../message/outcome.js';
import type { QueryContext } from '../message/query-context.js';
import { writeSigned } from './signatures.js';

/** Answers NODATA: the name exists, but not the type (RFC 2308 s2.2). */
export function writeNodata(context: QueryContext): void {
  conclude(context, OUTCOME.NODATA, RCODE.NOERROR);
  writeNegativeSoa(context);
  if (wantsDenial(context)) denyType(context);
}

/** Answers NXDOMAIN: neither the name nor any name below it exists (RFC 8020 s2). */
export function writeNxdomain(context: QueryContext): void {
  conclude(context, OUTCOME.NXDOMAIN, RCODE.NXDOMAIN);
  writeNegativeSoa(context);
  if (wantsDenial(context)) denyName(context);
}

/** Refuses to answer from a secondary zone that was never transferred or has expired (RFC 1035 s3.3.13, EXPIRE). */
function refuseWithheld(context: QueryContext): void {
  context.flags &= ~FLAG.AA;
  fail(context, OUTCOME.SERVFAIL, RCODE.SERVFAIL, EXTENDED_ERROR.NOT_READY);
}

/** Writes the SOA, which limits the caching of the negative answer (RFC 2308 s3, s5). */
function writeNegativeSoa(context: QueryContext): void {
  const { image, zone, searchName } = context;
  const soa = findRrset(image, apexNode(image, zone), RR_TYPE.SOA);
  if (soa === NOT_FOUND) {
    refuseWithheld(context);
    return;
  }
  context.response.section = SECTION.AUTHORITY;
  const ttl = negativeTtl(image, zone);
  if (!writeSigned(context, soa, searchName, apexAncestor(context), ttl)) {
    setTruncated(context);
  }
}
