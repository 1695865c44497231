import { RR_TYPE } from '@zonewright/dns-records';

import { apexNode, findRrset, negativeTtl } from '../image/zone-block.js';
import { RCODE } from '../wire/protocol.js';
import { SECTION, writeRrset } from './response-writer.js';
import { apexAncestor } from './find-zone.js';
import { OUTCOME } from './outcome.js';
import type { QueryContext } from './query-context.js';
import { conclude, setTruncated } from './response.js';

/** The name exists, the type does not (RFC 2308 s2.2). */
export function writeNodata(context: QueryContext): void {
  conclude(context, OUTCOME.NODATA, RCODE.NOERROR);
  writeNegativeSoa(context);
}

/** The name does not exist, nor any below it (RFC 8020 s2). */
export function writeNxdomain(context: QueryContext): void {
  conclude(context, OUTCOME.NXDOMAIN, RCODE.NXDOMAIN);
  writeNegativeSoa(context);
}

/** The SOA that says how long the absence may be remembered (RFC 2308 s3, s5). */
function writeNegativeSoa(context: QueryContext): void {
  const { response, image, zone, searchName } = context;
  const soa = findRrset(image, apexNode(image, zone), RR_TYPE.SOA);
  response.section = SECTION.AUTHORITY;
  const ttl = negativeTtl(image, zone);
  if (!writeRrset(response, image, soa, searchName, apexAncestor(context), ttl)) {
    setTruncated(context);
  }
}
