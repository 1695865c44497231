import type { Database } from '../connection/connection.js';

/** The approximate number of rows that one batch removes: few enough that its locks and I/O delay no other work. */
export const BATCH_ROWS = 1_000;

/** The result of one batch. */
export interface RemovedBatch {
  readonly removed: number;
  /** Whether nothing is left for now. */
  readonly isDone: boolean;
}

/** A kind of rows with limited retention. */
export interface RetentionRule {
  /** The name in metrics and logs. */
  readonly kind: string;
  /** The interval of the checks for rows to remove. */
  readonly everyMs: number;
  /** The retention time of the rows; undefined if they stay until space is needed. */
  readonly keptMs?: number;
  /** A statement that returns one row with `oldest`, the time from which the oldest of these rows counts. */
  readonly oldest?: string;
  /**
   * Removes one batch in a separate transaction, in one process at a time. It is called again until it reports that it
   * is done.
   */
  readonly removeBatch: (trx: Database, now: Date) => Promise<RemovedBatch>;
}

interface AgeRule {
  readonly kind: string;
  readonly everyMs: number;
  readonly keptMs: number;
  readonly oldest: string;
  /** A statement that removes rows older than `:before`, at most `:limit`, and returns a row for each. */
  readonly remove: string;
}

/** Creates a rule for rows that are removed individually when their retention time is over. */
export function byAge({ remove, ...rule }: AgeRule): RetentionRule {
  return {
    ...rule,
    removeBatch: async (trx, now) => {
      const before = new Date(now.getTime() - rule.keptMs);
      // A statement that removes nothing still fires the triggers of its table.
      if (!(await isOlder(trx, rule.oldest, before))) return { removed: 0, isDone: true };
      const { rows } = await trx.raw<{ rows: unknown[] }>(remove, { before, limit: BATCH_ROWS });
      return { removed: rows.length, isDone: rows.length < BATCH_ROWS };
    },
  };
}

async function isOlder(trx: Database, oldest: string, before: Date): Promise<boolean> {
  const { rows } = await trx.raw<{ rows: { oldest: Date | null }[] }>(oldest);
  const time = rows[0]?.oldest ?? null;
  return time !== null && time < before;
}
