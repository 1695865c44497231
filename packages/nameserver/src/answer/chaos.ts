import { RR_TYPE } from '@zonewright/dns-records';

import { RCODE } from '../wire/protocol.js';
import { writeChaosTxt } from './response-writer.js';
import { fail } from './fail.js';
import { OUTCOME } from './outcome.js';
import type { QueryContext } from './query-context.js';
import { conclude, setTruncated } from './response.js';

/** version.bind, id.server and the like (RFC 4892 s3); all else in class CHAOS is refused. */
export function answerChaos(context: QueryContext): void {
  const { response, searchName, qtype } = context;
  const rdata = context.chaosTexts.find(searchName);
  if (rdata === null || (qtype !== RR_TYPE.TXT && qtype !== RR_TYPE.ANY)) {
    fail(context, OUTCOME.REFUSED, RCODE.REFUSED);
    return;
  }
  conclude(context, OUTCOME.ANSWER, RCODE.NOERROR);
  if (!writeChaosTxt(response, searchName, rdata)) setTruncated(context);
}
