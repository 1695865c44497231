import type { Database, RetentionRule } from '@zonewright/database';

/**
 * Removes what the rules remove at a given time, to the end; the clock of PostgreSQL does not matter.
 *
 * @returns how many rows went, by kind.
 */
export async function runRetention(
  db: Database,
  rules: readonly RetentionRule[],
  now: Date = new Date(),
): Promise<Record<string, number>> {
  const removed: Record<string, number> = {};
  for (const { kind, removeBatch } of rules) {
    removed[kind] = 0;
    for (let isDone = false; !isDone;) {
      const batch = await db.transaction((trx) => removeBatch(trx, now));
      removed[kind] += batch.removed;
      isDone = batch.isDone;
    }
  }
  return removed;
}
