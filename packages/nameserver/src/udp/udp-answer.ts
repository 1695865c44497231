import { RR_TYPE } from '@zonewright/dns-records';
import type { QueryContext } from '../message/query-context.js';
import type { UdpCounters } from '../stats/transport-counters.js';
import { isInNetworks, type Network } from '../transport/source-address.js';
import type { FaultLog, HandleQuery } from '../transport/transport.js';
import { additionalCount, answerCount, authorityCount, questionCount } from '../wire/header.js';
import { readUint16, writeUint16 } from '../wire/octets.js';
import { FLAG, HEADER_OCTETS } from '../wire/protocol.js';
import { skipFixedAndRdata, skipName, skipQuestion } from '../wire/skip-record.js';
import { type RateLimiter, VERDICT } from './rate-limiter.js';

export interface UdpAnswerOptions {
  readonly handleQuery: HandleQuery;
  /** Undefined if there is no limit. */
  readonly rateLimiter: RateLimiter | undefined;
  readonly exemptNetworks: readonly Network[];
  readonly counters: UdpCounters;
  readonly faults: FaultLog;
}

/**
 * Answers the query in the context. Every UDP transport calls it between receiving and sending. Returns the length of
 * the response in the context's output, or 0 for none.
 */
export function answerUdp(options: UdpAnswerOptions, context: QueryContext, nowMs: number): number {
  context.clockSeconds = Math.floor(nowMs / 1_000);
  const length = options.handleQuery(context);
  options.counters.queries.count(context, length);
  if (context.fault !== null) options.faults.report(context.fault);
  return length === 0 ? 0 : limitRate(options, context, length, nowMs);
}

/** Returns the length of the response after rate limiting: the answer, a truncated one, or none. */
function limitRate(
  { rateLimiter, exemptNetworks, counters }: UdpAnswerOptions,
  context: QueryContext,
  length: number,
  nowMs: number,
): number {
  // A client that has proved its address cannot be a victim (RFC 7873 s5.2.5).
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

/**
 * Truncates the response in the context's output to header, question and OPT, with TC set. A client that queried too
 * often sometimes gets this response. OPT is kept because it may contain a cookie, with which the client can show that
 * its address is not forged (RFC 7873 s5.2.3). Rcode and AA are also kept, even in an NXDOMAIN without its SOA, as in
 * BIND, NSD and Knot. A client that overlooks TC must not confuse a missing name with one without data. Returns the new
 * length.
 */
export function writeSlip(context: QueryContext, length: number): number {
  const { output, outputStart: start } = context;
  const end = start + length;
  const questions = questionCount(output, start);
  const records =
    answerCount(output, start) + authorityCount(output, start) + additionalCount(output, start);
  let at = start + HEADER_OCTETS;
  for (let i = 0; i < questions; i++) at = skipQuestion(output, at, end);
  let slipEnd = at;
  let kept = 0;
  for (let i = 0; i < records; i++) {
    const fixed = skipName(output, at, end);
    const next = skipFixedAndRdata(output, fixed, end);
    if (readUint16(output, fixed) === RR_TYPE.OPT) {
      output.copyWithin(slipEnd, at, next);
      slipEnd += next - at;
      kept = 1;
    }
    at = next;
  }
  writeUint16(output, start + 2, readUint16(output, start + 2) | FLAG.TC);
  writeUint16(output, start + 6, 0);
  writeUint16(output, start + 8, 0);
  writeUint16(output, start + 10, kept);
  return slipEnd - start;
}
