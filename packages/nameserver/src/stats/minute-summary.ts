import type { Logger } from '@zonewright/service-kit';
import { OUTCOME } from '../message/outcome.js';
import type { QueryCounters } from './query-counters.js';
import type { TransportCounters } from './transport-counters.js';

const INTERVAL_MS = 60_000;

/** Totals for a log line; they only increase. */
interface Totals {
  readonly udpQueries: number;
  readonly tcpQueries: number;
  readonly responses: number;
  readonly nxdomain: number;
  readonly refused: number;
  readonly servfail: number;
  readonly formerr: number;
  readonly ignored: number;
  readonly rateLimited: number;
}

/** Logs one line a minute, instead of one for each query, with what was counted since the previous line. */
export class MinuteSummary {
  readonly #counters: TransportCounters;
  readonly #log: Logger;
  #last: Totals;
  #timer: NodeJS.Timeout | undefined;

  constructor(counters: TransportCounters, log: Logger) {
    this.#counters = counters;
    this.#log = log;
    this.#last = totals(counters);
  }

  start(): void {
    this.#timer = setInterval(() => {
      this.write();
    }, INTERVAL_MS);
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  /** Logs the line, except if there were no queries. */
  write(): void {
    const now = totals(this.#counters);
    const last = this.#last;
    this.#last = now;
    const since = Object.entries(now).map(([name, total]: [string, number]) => [
      name,
      total - last[name as keyof Totals],
    ]);
    if (now.udpQueries + now.tcpQueries === last.udpQueries + last.tcpQueries) return;
    this.#log.info(Object.fromEntries(since), 'queries since the last summary');
  }
}

function totals({ udp, tcp }: TransportCounters): Totals {
  const outcome = (which: number) => countOf(udp.queries, which) + countOf(tcp.queries, which);
  return {
    udpQueries: udp.queries.queries,
    tcpQueries: tcp.queries.queries,
    responses: udp.queries.responses + tcp.queries.responses,
    nxdomain: outcome(OUTCOME.NXDOMAIN),
    refused: outcome(OUTCOME.REFUSED),
    servfail: outcome(OUTCOME.SERVFAIL),
    formerr: outcome(OUTCOME.FORMERR),
    ignored: outcome(OUTCOME.DROP),
    rateLimited: udp.rateLimitDrops + udp.rateLimitSlips,
  };
}

function countOf(queries: QueryCounters, outcome: number): number {
  return queries.byOutcome[outcome] ?? 0;
}
