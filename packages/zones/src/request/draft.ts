import type { Problem } from '@zonewright/service-kit';

/** What a request says about a record or a zone: nothing of it has been checked but the names of its members. */
export interface Draft {
  readonly values: Readonly<Record<string, unknown>>;
  /** What is wrong with these names. */
  readonly problems: readonly Problem[];
}
