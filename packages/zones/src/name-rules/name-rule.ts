import type { Timestamp } from '../sql/timestamps.js';

/** `tld`: new zones lie below one of these, if there are any; `blacklist`: no new zone has a name with this in it. */
export type NameRuleKind = 'tld' | 'blacklist';

/** Rule of an operator for the names of new zones. */
export interface NameRule {
  readonly id: string;
  readonly kind: NameRuleKind;
  /** A name in lower case without a trailing dot, or a pattern as it was written. */
  readonly pattern: string;
  /** States of the pattern: the cost of a match. 0 for a plain name. */
  readonly states: number;
  readonly description: string | null;
  readonly createdAt: Timestamp;
  readonly updatedAt: Timestamp | null;
}
