import { isQuery } from '../wire/header.js';
import { RCODE } from '../wire/protocol.js';
import { checkCookie } from './check-cookie.js';
import { checkQuery } from './check-query.js';
import { dispatch } from './dispatch.js';
import { fail } from './fail.js';
import { OUTCOME } from './outcome.js';
import { NO_TSIG, type QueryContext, resetContext, type SignedQuery } from './query-context.js';
import { readQuery } from './read-query.js';
import { closeResponse, openResponse, sizeLimit } from './response.js';
import { readSignedQuery, signAnswer, signatureOctets, withoutSignature } from './signed-query.js';

/**
 * Answers the query that the transport has put into the context. Returns the length of the response, which stands at
 * `outputStart` of `output`; 0 if nothing is to be sent. Never throws, whatever the octets of the query are: a
 * programming error becomes SERVFAIL and `context.fault`.
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
  if (context.tsigStart !== NO_TSIG && isWellFormed) {
    const query = readSignedQuery(context);
    if (query !== undefined) return answerSigned(context, query);
  }
  return answerRead(context, isWellFormed);
}

function answerRead(context: QueryContext, isWellFormed: boolean): number {
  openResponse(context);
  checkCookie(context);
  if (checkQuery(context, isWellFormed)) dispatch(context);
  return closeResponse(context);
}

/** As without TSIG, with room for one behind it. */
function answerSigned(context: QueryContext, query: SignedQuery): number {
  const { input, inputStart, inputLength, output, outputStart, outputCapacity } = context;
  const unsigned = withoutSignature(context, query);
  const capacity = sizeLimit(context) - signatureOctets(query);
  resetContext(context);
  context.signed = query;
  context.input = unsigned;
  context.inputStart = 0;
  context.inputLength = unsigned.length;
  context.outputCapacity = capacity;
  try {
    readQuery(context);
    const length = query.fault === undefined ? answerRead(context, true) : refuseSigned(context);
    const answered = output.subarray(outputStart, outputStart + length);
    const signed = signAnswer(answered, query, context.clockSeconds);
    output.set(signed, outputStart);
    return signed.length;
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
