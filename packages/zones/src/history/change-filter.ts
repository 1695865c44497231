import { filterPeriods, type HistoryPeriod } from '../rows/history-periods.js';
import type { Timestamp } from '../rows/statements.js';

/** Criteria for changes of a zone. */
export interface ChangeFilter {
  readonly recordId?: string | undefined;
  /** Name of a record before or after the change. */
  readonly name?: string | undefined;
  /** Type of a record before or after the change, as it is stored. */
  readonly type?: string | undefined;
  readonly userId?: string | undefined;
  /** Times in the format of PostgreSQL. `until` is exclusive. */
  readonly since?: string | undefined;
  readonly until?: string | undefined;
  /** Periods in which the reader owned the zone. Undefined means always. */
  readonly periods?: readonly HistoryPeriod[] | undefined;
}

/** Author, time, source and note of a change. Null if not recorded. */
export interface ChangeAuthor {
  readonly userId: string;
  readonly userName: string | null;
  readonly accessKeyId: string | null;
  readonly source: string | null;
  readonly note: string | null;
  readonly requestId: string;
  readonly changedAt: Timestamp;
}

/** Columns of the author of a change. */
export const AUTHOR = `c.user_id as "userId", c.request_id as "requestId",
  c.user_name as "userName", c.access_key_id as "accessKeyId", c.source, c.note`;

/** Returns the conditions for dns.zone_changes as c. */
export function filterChanges({
  recordId,
  name,
  type,
  userId,
  since,
  until,
  periods,
}: ChangeFilter): {
  readonly sql: string;
  readonly values: readonly (string | number)[];
} {
  const conditions: string[] = [];
  const values: string[] = [];
  const add = (condition: string, ...given: (string | undefined)[]) => {
    if (given.some((value) => value === undefined)) return;
    conditions.push(`and ${condition}`);
    values.push(...(given as string[]));
  };
  add('c.record_id = cast(? as uuid)', recordId);
  add(`c.record_id is not null and ? in (c.before ->> 'name', c.after ->> 'name')`, name);
  add(`c.record_id is not null and ? in (c.before ->> 'type', c.after ->> 'type')`, type);
  add('c.user_id = ?', userId);
  add('c.changed_at >= cast(? as timestamptz)', since);
  add('c.changed_at < cast(? as timestamptz)', until);
  const ofPeriods = filterPeriods(periods);
  return {
    sql: [...conditions, ofPeriods.sql].join(' '),
    values: [...values, ...ofPeriods.values],
  };
}
