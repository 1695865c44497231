import { QueryCounters } from './query-counters.js';
import { UdpCounters } from './udp-counters.js';

/** Counters of TCP, including those of its queries. */
export interface TcpCounters {
  readonly queries: QueryCounters;
  accepted: number;
  /** Closed for a newer connection, at a limit. */
  displaced: number;
  /** Closed because neither a query came nor an answer went out for long. */
  timedOut: number;
}

export interface TransportCounters {
  /** Returns a copy of the counts of all threads. */
  readonly udp: UdpCounters;
  readonly tcp: TcpCounters;
  /** Counters for one more thread that answers over UDP. */
  readonly addUdpThread: () => UdpCounters;
}

export function createTransportCounters(): TransportCounters {
  const threads: UdpCounters[] = [];
  return {
    get udp() {
      return UdpCounters.sum(threads);
    },
    tcp: { queries: new QueryCounters(), accepted: 0, displaced: 0, timedOut: 0 },
    addUdpThread: () => {
      const counters = new UdpCounters();
      threads.push(counters);
      return counters;
    },
  };
}
