import { isQuery } from '../wire/header.js';
import { RCODE } from '../wire/protocol.js';
import { checkCookie } from './check-cookie.js';
import { checkQuery } from './check-query.js';
import { dispatch } from './dispatch.js';
import { fail } from './fail.js';
import { OUTCOME } from './outcome.js';
import { type QueryContext, resetContext } from './query-context.js';
import { readQuery } from './read-query.js';
import { closeResponse, openResponse } from './response.js';

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
  openResponse(context);
  checkCookie(context);
  if (checkQuery(context, isWellFormed)) dispatch(context);
  return closeResponse(context);
}
