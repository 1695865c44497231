import type { QueryContext } from '../answer/query-context.js';
import type { UdpCounters } from '../stats/udp-counters.js';
import type { FaultLog } from './fault-log.js';
import { isInNetworks, type Network } from './network.js';
import { type RateLimiter, VERDICT } from './rate-limiter.js';
import { writeSlip } from './slip.js';
import type { HandleQuery } from './udp-transport.js';

export interface UdpAnswerOptions {
  readonly handleQuery: HandleQuery;
  /** Undefined: no limit. */
  readonly rateLimiter: RateLimiter | undefined;
  readonly exemptNetworks: readonly Network[];
  readonly counters: UdpCounters;
  readonly faults: FaultLog;
}

/**
 * Answers the query that lies in the context: what every UDP transport does between receiving and sending. Returns the
 * length of what may be sent from the context's output; 0: nothing.
 */
export function answerUdp(options: UdpAnswerOptions, context: QueryContext, nowMs: number): number {
  context.clockSeconds = Math.floor(nowMs / 1_000);
  const length = options.handleQuery(context);
  options.counters.queries.count(context, length);
  if (context.fault !== null) options.faults.report(context.fault);
  return length === 0 ? 0 : limitRate(options, context, length, nowMs);
}

/** The length of what may be sent: the answer, a truncated one in its place, or nothing. */
function limitRate(
  { rateLimiter, exemptNetworks, counters }: UdpAnswerOptions,
  context: QueryContext,
  length: number,
  nowMs: number,
): number {
  // RFC 7873 s5.2.5: a client that has shown where it is cannot be somebody else's victim.
  if (rateLimiter === undefined || context.hasValidCookie) return length;
  const verdict = rateLimiter.decide(context.sourceAddress, context.answerIdentity, length, nowMs);
  if (verdict === VERDICT.SEND) return length;
  if (isInNetworks(context.sourceAddress, exemptNetworks)) return length;
  if (verdict === VERDICT.DROP) {
    counters.countRateLimitDrop();
    return 0;
  }
  counters.countRateLimitSlip();
  return writeSlip(context, length);
}
