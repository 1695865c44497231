import { RR_TYPE } from '@zonewright/dns-records';

import {
  findRrset,
  firstRrset,
  nextRrset,
  rrsetCount,
  rrsetTtl,
  rrsetType,
} from '../image/zone-block.js';
import { RCODE } from '../wire/protocol.js';
import { SECTION, writeRrset } from '../message/response-writer.js';
import { writeAdditional } from './additional.js';
import { writeProofs } from './proofs.js';
import { OUTCOME } from '../message/outcome.js';
import { type QueryContext, TRANSPORT } from '../message/query-context.js';
import { conclude, setTruncated } from '../message/response.js';
import { writeSigned } from './signatures.js';

/** Writes the RRset of the question and its additional addresses. */
export function writePositive(context: QueryContext, rrset: number): void {
  conclude(context, OUTCOME.ANSWER, RCODE.NOERROR);
  const isWritten = writeAnswer(context, rrset);
  writeProofs(context);
  if (isWritten) writeAdditional(context, rrset);
}

/**
 * Answers ANY and RRSIG at a node that has such records. Over UDP it writes one RRset, so that a small query does not
 * cause a large answer to a forged address (RFC 8482 s4.1). Over TCP it writes all matching RRsets. A CNAME is one of
 * them and is not followed (RFC 1034 s3.6.2).
 */
export function writeAny(context: QueryContext): void {
  const { image, node, qtype, response, searchName } = context;
  conclude(context, OUTCOME.ANSWER, RCODE.NOERROR);
  let rrset = firstRrset(image, node);
  if (context.transport !== TRANSPORT.TCP) {
    writeAnswer(context, qtype === RR_TYPE.ANY ? rrset : findRrset(image, node, qtype));
    return;
  }
  response.section = SECTION.ANSWER;
  for (let left = rrsetCount(image, node); left > 0; left--) {
    const isAsked = qtype === RR_TYPE.ANY || rrsetType(image, rrset) === qtype;
    // Signatures are added to each RRset anyway.
    if (isAsked && !writeRrset(response, image, rrset, searchName, 0, rrsetTtl(image, rrset))) {
      setTruncated(context);
      return;
    }
    rrset = nextRrset(image, rrset);
  }
}

/** Writes an RRset. The owner is the search name in the case of the question, also for a wildcard (RFC 4592 s3.3.1). */
export function writeAnswer(context: QueryContext, rrset: number): boolean {
  const { response, image, searchName } = context;
  response.section = SECTION.ANSWER;
  const isWritten = writeSigned(context, rrset, searchName, 0, rrsetTtl(image, rrset));
  if (!isWritten) setTruncated(context);
  return isWritten;
}
