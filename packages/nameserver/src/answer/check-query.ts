import { OPCODE, RR_TYPE } from '@zonewright/dns-records';

import { answerCount, authorityCount, questionCount } from '../wire/header.js';
import { RCODE } from '../wire/protocol.js';
import { isImplemented } from './dispatch.js';
import { fail } from './fail.js';
import { OUTCOME } from './outcome.js';
import { NO_TSIG, type QueryContext, TRANSPORT } from './query-context.js';
import { conclude, dropQuestion } from './response.js';

/** Checks the query in the order of importance; false if the context holds its answer already. */
export function checkQuery(context: QueryContext, isWellFormed: boolean): boolean {
  const { edns } = context;
  if (!isImplemented(context.opcode)) {
    // The content of the sections is unknown if the opcode is unknown (RFC 8906 s3.1.4).
    dropQuestion(context);
    fail(context, OUTCOME.NOTIMP, RCODE.NOTIMP);
  } else if (!isWellFormed || isEdnsMalformed(context)) {
    fail(context, OUTCOME.FORMERR, RCODE.FORMERR);
  } else if (edns.version > 0) {
    fail(context, OUTCOME.BADVERS, RCODE.BADVERS);
  } else if (asksForCookieOnly(context)) {
    conclude(context, OUTCOME.NODATA, RCODE.NOERROR);
  } else if (!hasExpectedSections(context)) {
    fail(context, OUTCOME.FORMERR, RCODE.FORMERR);
  } else if (context.tsigStart !== NO_TSIG) {
    fail(context, OUTCOME.NOTAUTH, RCODE.NOTAUTH);
  } else {
    return true;
  }
  return false;
}

/** edns-tcp-keepalive is empty in a query (RFC 7828 s3.2.1), and means nothing over UDP. */
function isEdnsMalformed({ edns, transport }: QueryContext): boolean {
  return edns.isMalformed || (transport === TRANSPORT.TCP && edns.keepaliveLength > 0);
}

/** RFC 7873 s5.4: a query without a question fetches a server cookie. */
function asksForCookieOnly({ opcode, edns, input, inputStart }: QueryContext): boolean {
  const questions = questionCount(input, inputStart);
  return opcode === OPCODE.QUERY && questions === 0 && edns.cookieStart !== -1;
}

/** One question (RFC 9619 s4); and in a QUERY no records but those in the additional section, and the SOA of IXFR. */
function hasExpectedSections({ opcode, qtype, input, inputStart }: QueryContext): boolean {
  if (questionCount(input, inputStart) !== 1) return false;
  if (opcode !== OPCODE.QUERY) return true;
  if (answerCount(input, inputStart) > 0) return false;
  return authorityCount(input, inputStart) === 0 || qtype === RR_TYPE.IXFR;
}
