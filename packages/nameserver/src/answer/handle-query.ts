import { OPCODE, RR_CLASS, RR_TYPE } from '@zonewright/dns-records';
import { NOT_FOUND } from '../image/directory.js';
import { OUTCOME, type Outcome } from '../message/outcome.js';
import {
  NO_TSIG,
  type QueryContext,
  resetContext,
  type SignedQuery,
  TRANSPORT,
} from '../message/query-context.js';
import { readQuery } from '../message/read-query.js';
import {
  closeResponse,
  conclude,
  dropQuestion,
  fail,
  openResponse,
  sizeLimit,
} from '../message/response.js';
import { SERVER_COOKIE_OCTETS } from '../message/server-cookies.js';
import {
  readSignedQuery,
  signAnswer,
  signatureOctets,
  withoutSignature,
} from '../message/signed-query.js';
import { CLIENT_COOKIE_OCTETS } from '../wire/edns.js';
import { answerCount, authorityCount, isQuery, questionCount } from '../wire/header.js';
import { RCODE } from '../wire/protocol.js';
import { dispatch, isImplemented } from './dispatch.js';

/** Outcomes whose responses the DNS API signs if this server does not know the key. */
const OF_OUR_ZONES: ReadonlySet<Outcome> = new Set([
  OUTCOME.ANSWER,
  OUTCOME.CNAME,
  OUTCOME.REFERRAL,
  OUTCOME.NODATA,
  OUTCOME.NXDOMAIN,
]);

/**
 * Answers the query that the transport has put into the context. Returns the length of the response at `outputStart`
 * of `output`, or 0 if nothing is to be sent. Never throws, whatever the octets of the query are: a programming error
 * becomes SERVFAIL and `context.fault`.
 */
export function handleQuery(context: QueryContext): number {
  resetContext(context);
  if (!isQuery(context.input, context.inputStart, context.inputLength)) return 0;
  try {
    return answer(context);
  } catch (error) {
    context.fault = error;
    context.zoneOfQuestion = NOT_FOUND;
    openResponse(context);
    fail(context, OUTCOME.SERVFAIL, RCODE.SERVFAIL);
    return closeResponse(context);
  }
}

function answer(context: QueryContext): number {
  const isWellFormed = readQuery(context);
  if (context.tsigStart === NO_TSIG || !isWellFormed) return answerRead(context, isWellFormed);
  const query = mayBeKnown(context) ? readSignedQuery(context) : undefined;
  if (query === undefined) return answerRead(context, true);
  return query.key === undefined
    ? answerForOthersToSign(context, query)
    : answerSigned(context, query);
}

/** Whether any TSIG keys are accepted. */
function mayBeKnown({ findKey, isRelaying }: QueryContext): boolean {
  return isRelaying || findKey !== null;
}

function answerRead(context: QueryContext, isWellFormed: boolean): number {
  openResponse(context);
  checkCookie(context);
  if (checkQuery(context, isWellFormed)) dispatch(context);
  return closeResponse(context);
}

function answerSigned(context: QueryContext, query: SignedQuery): number {
  const { output, outputStart } = context;
  const length = answerWithRoom(context, query, query);
  const answered = output.subarray(outputStart, outputStart + length);
  const signed = signAnswer(answered, query, context.clockSeconds);
  output.set(signed, outputStart);
  return signed.length;
}

/**
 * Answers a query signed with an unknown key: BADKEY, unless the response comes from a zone of this server and can be
 * signed later.
 */
function answerForOthersToSign(context: QueryContext, query: SignedQuery): number {
  const { isRelaying, opcode, qclass } = context;
  if (isRelaying && opcode === OPCODE.QUERY && qclass === RR_CLASS.IN) {
    const length = answerWithRoom(context, query, null);
    if (OF_OUR_ZONES.has(context.outcome) || isRefusedTransfer(context)) return length;
    resetContext(context);
    readQuery(context);
  }
  return answerRead(context, true);
}

/** Whether the query requests the transfer of a zone of this server, which access keys may do. */
function isRefusedTransfer({ outcome, qtype }: QueryContext): boolean {
  return outcome === OUTCOME.REFUSED && (qtype === RR_TYPE.AXFR || qtype === RR_TYPE.IXFR);
}

/** Answers the query without its TSIG, and leaves room for a TSIG in the response. */
function answerWithRoom(
  context: QueryContext,
  query: SignedQuery,
  signed: SignedQuery | null,
): number {
  const { input, inputStart, inputLength, outputCapacity } = context;
  const unsigned = withoutSignature(context, query);
  const capacity = sizeLimit(context) - signatureOctets(query);
  resetContext(context);
  context.signed = signed;
  context.awaitsSignature = signed === null;
  context.input = unsigned;
  context.inputStart = 0;
  context.inputLength = unsigned.length;
  context.outputCapacity = capacity;
  try {
    readQuery(context);
    const isRefused = signed?.fault !== undefined;
    return isRefused ? refuseSigned(context) : answerRead(context, true);
  } finally {
    Object.assign(context, { input, inputStart, inputLength, outputCapacity });
  }
}

/** Answers NOTAUTH, whatever the question is (RFC 8945 s5.2). */
function refuseSigned(context: QueryContext): number {
  openResponse(context);
  fail(context, OUTCOME.NOTAUTH, RCODE.NOTAUTH);
  return closeResponse(context);
}

/** Checks the query, in order of importance. Returns false if the context holds the response. */
function checkQuery(context: QueryContext, isWellFormed: boolean): boolean {
  const { edns } = context;
  if (!isImplemented(context.opcode)) {
    // The sections of an unknown opcode cannot be interpreted (RFC 8906 s3.1.4).
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

/** Whether EDNS is malformed. edns-tcp-keepalive is empty in a query (RFC 7828 s3.2.1) and has no meaning over UDP. */
function isEdnsMalformed({ edns, transport }: QueryContext): boolean {
  return edns.isMalformed || (transport === TRANSPORT.TCP && edns.keepaliveLength > 0);
}

/** Whether a query without a question fetches a server cookie (RFC 7873 s5.4). */
function asksForCookieOnly({ opcode, edns, input, inputStart }: QueryContext): boolean {
  const questions = questionCount(input, inputStart);
  return opcode === OPCODE.QUERY && questions === 0 && edns.cookieStart !== -1;
}

/**
 * Whether the query has one question (RFC 9619 s4). A QUERY has no other records except in the additional section and
 * the SOA of IXFR.
 */
function hasExpectedSections({ opcode, qtype, input, inputStart }: QueryContext): boolean {
  if (questionCount(input, inputStart) !== 1) return false;
  if (opcode !== OPCODE.QUERY) return true;
  if (answerCount(input, inputStart) > 0) return false;
  return authorityCount(input, inputStart) === 0 || qtype === RR_TYPE.IXFR;
}

/**
 * Records whether the client presented a valid server cookie. An invalid or old cookie is treated as none, and a new
 * one is sent (RFC 7873 s5.2.3, s5.2.4): this server does not require cookies.
 */
function checkCookie(context: QueryContext): void {
  const { edns, input, cookies } = context;
  if (edns.cookieStart === -1 || edns.isMalformed) return;
  cookies.setClient(input, edns.cookieStart, context.sourceAddress);
  if (edns.cookieLength !== CLIENT_COOKIE_OCTETS + SERVER_COOKIE_OCTETS) return;
  const serverCookie = edns.cookieStart + CLIENT_COOKIE_OCTETS;
  context.hasValidCookie = cookies.isValid(input, serverCookie, context.clockSeconds);
}
