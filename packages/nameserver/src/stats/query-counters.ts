import { OUTCOME_NAMES } from '../answer/outcome.js';
import type { QueryContext } from '../answer/query-context.js';

/** RCODEs up to the last that is assigned (BADCOOKIE, 23). */
const RCODES = 24;
/** Types up to CAA (257) are counted one by one, those from this on together: a client may ask for 65,536. */
export const OTHER_TYPES = 258;
/** Upper bounds of the response-size histogram: plain UDP, one IPv6 packet, one Ethernet frame, and TCP beyond. */
export const RESPONSE_SIZE_BOUNDS = [64, 128, 256, 512, 1_232, 1_452, 4_096, 16_384] as const;

/**
 * What one transport has seen. Plain numbers, since they change with each query; metrics.ts reads them when
 * Prometheus asks.
 */
export class QueryCounters {
  queries = 0;
  responses = 0;
  responseOctets = 0;
  truncated = 0;
  withEdns = 0;
  withValidCookie = 0;
  readonly byOutcome = new Float64Array(OUTCOME_NAMES.length);
  readonly byRcode = new Float64Array(RCODES);
  readonly byType = new Float64Array(OTHER_TYPES + 1);
  /** The last place counts what is above all bounds. */
  readonly bySize = new Float64Array(RESPONSE_SIZE_BOUNDS.length + 1);

  /** Counts one query; `length` is what handleQuery returned. */
  count(context: QueryContext, length: number): void {
    this.queries++;
    increment(this.byOutcome, context.outcome);
    if (context.hasEdns) this.withEdns++;
    if (context.hasValidCookie) this.withValidCookie++;
    if (context.qtype !== 0) increment(this.byType, Math.min(context.qtype, OTHER_TYPES));
    if (length === 0) return;
    this.responses++;
    this.responseOctets += length;
    increment(this.byRcode, Math.min(context.rcode, RCODES - 1));
    increment(this.bySize, sizeIndex(length));
    if (context.isTruncated) this.truncated++;
  }
}

function increment(counts: Float64Array, index: number): void {
  counts[index] = (counts[index] ?? 0) + 1;
}

function sizeIndex(length: number): number {
  let index = 0;
  while (length > (RESPONSE_SIZE_BOUNDS[index] ?? length)) index++;
  return index;
}
