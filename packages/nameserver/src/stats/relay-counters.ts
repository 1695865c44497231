/** Which kinds of messages are relayed. */
export type RelayedKind = 'update' | 'query' | 'notify';

/** What became of one: the answer of the DNS API, SERVFAIL in its place, an answer from here, the answer given before, or nothing. */
type RelayOutcome = 'answered' | 'failed' | 'refused' | 'repeated' | 'dropped';

/** What the relay counts; see metrics. */
export interface RelayCounters {
  readonly count: (kind: RelayedKind, outcome: RelayOutcome) => void;
  /** From its arrival to its answer, for those that were answered or failed. */
  readonly time: (kind: RelayedKind, seconds: number) => void;
}
