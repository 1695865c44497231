import type { Outcome } from './outcome.js';
import { NO_EXTENDED_ERROR, type QueryContext } from './query-context.js';
import { conclude } from './response.js';

/** An answer without data. The reason, an EDE info code, is for the operator on the other side (RFC 8914). */
export function fail(
  context: QueryContext,
  outcome: Outcome,
  rcode: number,
  extendedError: number = NO_EXTENDED_ERROR,
): void {
  conclude(context, outcome, rcode);
  context.extendedError = extendedError;
}
