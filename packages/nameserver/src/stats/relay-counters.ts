/** Kinds of messages that are relayed. */
export type RelayedKind = 'update' | 'query' | 'notify';

/**
 * Outcome of a message: the answer of the DNS API, SERVFAIL, an answer from here, the earlier answer again, or none.
 */
type RelayOutcome = 'answered' | 'failed' | 'refused' | 'repeated' | 'dropped';

/** Counters of the relay; see metrics. */
export interface RelayCounters {
  readonly count: (kind: RelayedKind, outcome: RelayOutcome) => void;
  /** From its arrival to its answer, for those that were answered or failed. */
  readonly time: (kind: RelayedKind, seconds: number) => void;
}
