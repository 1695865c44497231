/** Counters of transfers to peers and of NOTIFY. */
export interface TransferCounters {
  readonly done: { axfr: number; ixfr: number };
  refused: number;
  /** Not to the end: the client went, was too slow, or this process stopped. */
  cut: number;
  octets: number;
  /** NOTIFY requests by what was answered. */
  readonly notifies: Map<string, number>;
}

export function createTransferCounters(): TransferCounters {
  return { done: { axfr: 0, ixfr: 0 }, refused: 0, cut: 0, octets: 0, notifies: new Map() };
}
