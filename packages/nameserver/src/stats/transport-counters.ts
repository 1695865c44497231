import { QUERY_CELLS, QueryCounters } from './query-counters.js';

export interface TcpCounters {
  readonly queries: QueryCounters;
  accepted: number;
  /** Number of connections closed at a limit, in favour of a newer connection. */
  displaced: number;
  /** Number of connections closed after a long time without query or answer. */
  timedOut: number;
}

export interface TransportCounters {
  /** Sum of the counts of all threads, as a copy. */
  readonly udp: UdpCounters;
  readonly tcp: TcpCounters;
  /** Adds the counters of another UDP thread. */
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

const CELL = {
  SEND_ERRORS: QUERY_CELLS,
  SEND_QUEUE_DROPS: QUERY_CELLS + 1,
  RATE_LIMIT_DROPS: QUERY_CELLS + 2,
  RATE_LIMIT_SLIPS: QUERY_CELLS + 3,
} as const;

const CELLS = QUERY_CELLS + Object.keys(CELL).length;

/** UDP counters of one thread, in shared memory. Only that thread writes them. */
export class UdpCounters {
  readonly buffer: SharedArrayBuffer;
  readonly queries: QueryCounters;
  readonly #cells: Float64Array;

  constructor(buffer = new SharedArrayBuffer(CELLS * Float64Array.BYTES_PER_ELEMENT)) {
    this.buffer = buffer;
    this.#cells = new Float64Array(buffer);
    this.queries = new QueryCounters(this.#cells.subarray(0, QUERY_CELLS));
  }

  /** Returns the current sums of the counters of several threads. */
  static sum(threads: readonly UdpCounters[]): UdpCounters {
    const sum = new UdpCounters();
    for (const thread of threads) {
      thread.#cells.forEach((count, cell) => {
        sum.#add(cell, count);
      });
    }
    return sum;
  }

  /** Number of answers that the system refused to send. */
  get sendErrors(): number {
    return this.#cells[CELL.SEND_ERRORS] ?? 0;
  }

  /** Number of queries that were not answered because earlier answers still wait to be sent. */
  get sendQueueDrops(): number {
    return this.#cells[CELL.SEND_QUEUE_DROPS] ?? 0;
  }

  /** Number of responses above the rate limit that were not sent. */
  get rateLimitDrops(): number {
    return this.#cells[CELL.RATE_LIMIT_DROPS] ?? 0;
  }

  /** Number of responses above the rate limit that were sent truncated. */
  get rateLimitSlips(): number {
    return this.#cells[CELL.RATE_LIMIT_SLIPS] ?? 0;
  }

  countSendError(): void {
    this.#add(CELL.SEND_ERRORS, 1);
  }

  countSendQueueDrop(): void {
    this.#add(CELL.SEND_QUEUE_DROPS, 1);
  }

  countRateLimitDrop(): void {
    this.#add(CELL.RATE_LIMIT_DROPS, 1);
  }

  countRateLimitSlip(): void {
    this.#add(CELL.RATE_LIMIT_SLIPS, 1);
  }

  #add(cell: number, count: number): void {
    this.#cells[cell] = (this.#cells[cell] ?? 0) + count;
  }
}
