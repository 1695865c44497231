import { QueryCounters } from './query-counters.js';

/** What UDP counts beside its queries. */
export interface UdpCounters {
  readonly queries: QueryCounters;
  /** Answers that the system refused to send. */
  sendErrors: number;
  /** Queries left unanswered because earlier answers still wait to be sent. */
  sendQueueDrops: number;
  /** Over the response rate limit: not sent, and sent truncated. */
  rateLimitDrops: number;
  rateLimitSlips: number;
}

/** What TCP counts beside its queries. */
export interface TcpCounters {
  readonly queries: QueryCounters;
  accepted: number;
  /** Closed for a newer connection, at a limit. */
  displaced: number;
  /** Closed because neither a query came nor an answer went out for long. */
  timedOut: number;
}

export interface TransportCounters {
  readonly udp: UdpCounters;
  readonly tcp: TcpCounters;
}

export function createTransportCounters(): TransportCounters {
  return {
    udp: {
      queries: new QueryCounters(),
      sendErrors: 0,
      sendQueueDrops: 0,
      rateLimitDrops: 0,
      rateLimitSlips: 0,
    },
    tcp: { queries: new QueryCounters(), accepted: 0, displaced: 0, timedOut: 0 },
  };
}
