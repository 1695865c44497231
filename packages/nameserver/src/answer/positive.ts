import { firstRrset, nextRrset, rrsetCount, rrsetTtl } from '../image/zone-block.js';
import { RCODE } from '../wire/protocol.js';
import { SECTION, writeRrset } from './response-writer.js';
import { writeAdditional } from './additional.js';
import { OUTCOME } from './outcome.js';
import { type QueryContext, TRANSPORT } from './query-context.js';
import { conclude, setTruncated } from './response.js';

/** The RRset that was asked for, and the addresses that go with it. */
export function writePositive(context: QueryContext, rrset: number): void {
  conclude(context, OUTCOME.ANSWER, RCODE.NOERROR);
  if (writeAnswer(context, rrset)) writeAdditional(context, rrset);
}

/**
 * ANY: one RRset over UDP, so that a small query brings no large answer to a forged address (RFC 8482 s4.1); all of
 * them over TCP. A CNAME is one of them and is not followed (RFC 1034 s3.6.2).
 */
export function writeAny(context: QueryContext): void {
  const { image, node } = context;
  conclude(context, OUTCOME.ANSWER, RCODE.NOERROR);
  const count = context.transport === TRANSPORT.TCP ? rrsetCount(image, node) : 1;
  let rrset = firstRrset(image, node);
  for (let left = count; left > 0; left--) {
    if (!writeAnswer(context, rrset)) return;
    rrset = nextRrset(image, rrset);
  }
}

/** With the search name as the owner, in the letters it was asked with, also from a wildcard (RFC 4592 s3.3.1). */
export function writeAnswer(context: QueryContext, rrset: number): boolean {
  const { response, image, searchName } = context;
  response.section = SECTION.ANSWER;
  const isWritten = writeRrset(response, image, rrset, searchName, 0, rrsetTtl(image, rrset));
  if (!isWritten) setTruncated(context);
  return isWritten;
}
