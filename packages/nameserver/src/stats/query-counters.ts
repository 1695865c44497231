import { OUTCOME_NAMES } from '../message/outcome.js';
import type { QueryContext } from '../message/query-context.js';

/** Number of counted RCODEs, up to the last one that is assigned (BADCOOKIE, 23). */
const RCODES = 24;
/** First type that is not counted separately. Types up to CAA (257) are, since a client may query 65,536 types. */
export const OTHER_TYPES = 258;
/**
 * Upper bounds of the response-size histogram: plain UDP, one IPv6 packet, one Ethernet frame, and larger sizes over
 * TCP.
 */
export const RESPONSE_SIZE_BOUNDS = [64, 128, 256, 512, 1_232, 1_452, 4_096, 16_384] as const;

/** Positions of single numbers; the arrays follow them. */
const CELL = {
  QUERIES: 0,
  RESPONSES: 1,
  RESPONSE_OCTETS: 2,
  TRUNCATED: 3,
  WITH_EDNS: 4,
  WITH_VALID_COOKIE: 5,
  FAULTS: 6,
} as const;

const BY_OUTCOME = Object.keys(CELL).length;
const BY_RCODE = BY_OUTCOME + OUTCOME_NAMES.length;
const BY_TYPE = BY_RCODE + RCODES;
const BY_SIZE = BY_TYPE + OTHER_TYPES + 1;

/** Length of the array of a QueryCounters. */
export const QUERY_CELLS = BY_SIZE + RESPONSE_SIZE_BOUNDS.length + 1;

/**
 * Counters of one transport. They are plain numbers, since they change with each query; metrics.ts reads them for
 * Prometheus. They are in one array, which may be shared memory, so that one thread counts and others read.
 */
export class QueryCounters {
  readonly byOutcome: Float64Array;
  readonly byRcode: Float64Array;
  readonly byType: Float64Array;
  /** The last element counts values above all bounds. */
  readonly bySize: Float64Array;
  readonly #cells: Float64Array;

  constructor(cells: Float64Array = new Float64Array(QUERY_CELLS)) {
    this.#cells = cells;
    this.byOutcome = cells.subarray(BY_OUTCOME, BY_RCODE);
    this.byRcode = cells.subarray(BY_RCODE, BY_TYPE);
    this.byType = cells.subarray(BY_TYPE, BY_SIZE);
    this.bySize = cells.subarray(BY_SIZE, QUERY_CELLS);
  }

  get queries(): number {
    return this.#cells[CELL.QUERIES] ?? 0;
  }

  get responses(): number {
    return this.#cells[CELL.RESPONSES] ?? 0;
  }

  get responseOctets(): number {
    return this.#cells[CELL.RESPONSE_OCTETS] ?? 0;
  }

  get truncated(): number {
    return this.#cells[CELL.TRUNCATED] ?? 0;
  }

  get withEdns(): number {
    return this.#cells[CELL.WITH_EDNS] ?? 0;
  }

  get withValidCookie(): number {
    return this.#cells[CELL.WITH_VALID_COOKIE] ?? 0;
  }

  /** Number of programming errors that were answered with SERVFAIL. */
  get faults(): number {
    return this.#cells[CELL.FAULTS] ?? 0;
  }

  /**
   * Counts one query.
   * @param length return value of handleQuery
   */
  count(context: QueryContext, length: number): void {
    increment(this.#cells, CELL.QUERIES);
    increment(this.byOutcome, context.outcome);
    if (context.hasEdns) increment(this.#cells, CELL.WITH_EDNS);
    if (context.hasValidCookie) increment(this.#cells, CELL.WITH_VALID_COOKIE);
    if (context.fault !== null) increment(this.#cells, CELL.FAULTS);
    if (context.qtype !== 0) increment(this.byType, Math.min(context.qtype, OTHER_TYPES));
    if (length === 0) return;
    increment(this.#cells, CELL.RESPONSES);
    increment(this.#cells, CELL.RESPONSE_OCTETS, length);
    increment(this.byRcode, Math.min(context.rcode, RCODES - 1));
    increment(this.bySize, sizeIndex(length));
    if (context.isTruncated) increment(this.#cells, CELL.TRUNCATED);
  }
}

function increment(counts: Float64Array, index: number, by = 1): void {
  counts[index] = (counts[index] ?? 0) + by;
}

function sizeIndex(length: number): number {
  let index = 0;
  while (length > (RESPONSE_SIZE_BOUNDS[index] ?? length)) index++;
  return index;
}
