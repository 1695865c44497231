import type { Problem } from '@zonewright/service-kit';

/** Record or zone in a request. Only the names of its members have been checked. */
export interface InputMembers {
  readonly values: Readonly<Record<string, unknown>>;
  /** Problems of these names. */
  readonly problems: readonly Problem[];
}
