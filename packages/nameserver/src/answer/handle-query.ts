import { OPCODE, RR_CLASS } from '@zonewright/dns-records';
import { isQuery } from '../wire/header.js';
import { RCODE } from '../wire/protocol.js';
import { checkCookie } from './check-cookie.js';
import { checkQuery } from './check-query.js';
import { dispatch } from './dispatch.js';
import { fail } from './fail.js';
import { OUTCOME, type Outcome } from './outcome.js';
import { NO_TSIG, type QueryContext, resetContext, type SignedQuery } from './query-context.js';
import { readQuery } from './read-query.js';
import { closeResponse, openResponse, sizeLimit } from './response.js';
import { readSignedQuery, signAnswer, signatureOctets, withoutSignature } from './signed-query.js';

/** Outcomes whose answers the DNS API is asked to sign, if this server does not know the key. */
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

/** Whether there is anybody who knows keys. */
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

/** Answers a query signed with an unknown key. Answers from our zones wait for a signature, others are BADKEY. */
function answerForOthersToSign(context: QueryContext, query: SignedQuery): number {
  const { isRelaying, opcode, qclass } = context;
  if (isRelaying && opcode === OPCODE.QUERY && qclass === RR_CLASS.IN) {
    const length = answerWithRoom(context, query, null);
    if (OF_OUR_ZONES.has(context.outcome)) {
      context.awaitsSignature = true;
      return length;
    }
    resetContext(context);
    readQuery(context);
  }
  return answerRead(context, true);
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

/** RFC 8945 s5.2: NOTAUTH, whatever is asked. */
function refuseSigned(context: QueryContext): number {
  openResponse(context);
  fail(context, OUTCOME.NOTAUTH, RCODE.NOTAUTH);
  return closeResponse(context);
}
