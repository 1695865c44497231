import { findEnclosingZone, NOT_FOUND } from '../image/directory.js';
import { apexLength } from '../image/zone-block.js';
import { RCODE } from '../wire/protocol.js';
import { fail } from './fail.js';
import { OUTCOME } from './outcome.js';
import type { QueryContext } from './query-context.js';

/**
 * Refuses operations on a whole zone that are not offered here: transfers (RFC 5936 s2.2.1), NOTIFY (RFC 1996) and
 * UPDATE (RFC 2136 s3.1). Answers REFUSED for a zone of ours, and NOTAUTH for any other name.
 */
export function refuseZoneOperation(context: QueryContext): void {
  const zone = findEnclosingZone(context.image, context.searchName, 0);
  if (zone !== NOT_FOUND && apexLength(context.image, zone) === context.searchName.length) {
    fail(context, OUTCOME.REFUSED, RCODE.REFUSED);
  } else {
    fail(context, OUTCOME.NOTAUTH, RCODE.NOTAUTH);
  }
}
