import type { Database } from '../connection/connection.js';

/** Rows that one batch removes, about: few enough that nobody waits for the locks and the I/O of it. */
export const BATCH_ROWS = 1_000;

/** Result of one batch. */
export interface RemovedBatch {
  readonly removed: number;
  /** Nothing is left for now. */
  readonly isDone: boolean;
}

/** One kind of rows that do not stay for ever. */
export interface RetentionRule {
  /** Name in metrics and logs. */
  readonly kind: string;
  /** How often it is looked whether there is something to do. */
  readonly everyMs: number;
  /** How long such rows are kept; undefined: as long as there is room for them. */
  readonly keptMs?: number;
  /** A statement that gives one row with `oldest`, the time that the oldest of these rows counts from. */
  readonly oldest?: string;
  /** Removes one batch, in a transaction of its own, while nobody else does. Called again until it says that it is done. */
  readonly removeBatch: (trx: Database, now: Date) => Promise<RemovedBatch>;
}

interface AgeRule {
  readonly kind: string;
  readonly everyMs: number;
  readonly keptMs: number;
  readonly oldest: string;
  /** A statement that removes what counts from before `:before`, `:limit` rows at most, and returns a row for each. */
  readonly remove: string;
}

/** A kind whose rows go one by one when their time is over. */
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
