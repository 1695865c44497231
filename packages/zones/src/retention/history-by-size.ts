import type { Database, RemovedBatch, RetentionRule } from '@zonewright/database';
import { countChanges, findCut, findLargeHistory, setHistorySize } from './history-size-store.js';
import { removeChangesetsUpTo } from '../write/commit/remove-entries.js';

const EVERY_MS = 60 * 1_000;
/** A quarter of the limit is freed at once, so that a busy domain is not checked every minute. */
const KEPT_SHARE = 0.75;

/** A domain whose oldest changes are being removed. */
interface Trimmed {
  readonly zoneId: string;
  /** The newest serial to remove; null: none. */
  readonly cut: number | null;
  readonly keptOctets: number;
}

/**
 * Deletes the oldest changes of a domain while its history takes more than `maxOctets`. The last change is kept. The size is counted from
 * the journal afterwards, so that writers need not count it.
 */
export function historyBySize(maxOctets: number): RetentionRule {
  let trimmed: Trimmed | undefined;
  // Each domain once in a run: if its last change alone is too large, it stays so.
  let looked: string | undefined;
  return {
    kind: 'changes-over-size',
    everyMs: EVERY_MS,
    removeBatch: async (trx) => {
      if (trimmed === undefined && (await countChanges(trx))) return MORE;
      trimmed ??= await chooseHistory(trx, maxOctets, looked);
      looked = trimmed?.zoneId;
      if (trimmed === undefined) return { removed: 0, isDone: true };
      const { zoneId, cut, keptOctets } = trimmed;
      const { removed, isDone } =
        cut === null ? NOTHING_LEFT : await removeChangesetsUpTo(trx, zoneId, cut);
      if (isDone) {
        await setHistorySize(trx, zoneId, keptOctets);
        trimmed = undefined;
      }
      return { removed, isDone: false };
    },
  };
}

const MORE: RemovedBatch = { removed: 0, isDone: false };
const NOTHING_LEFT: RemovedBatch = { removed: 0, isDone: true };

async function chooseHistory(
  trx: Database,
  maxOctets: number,
  after: string | undefined,
): Promise<Trimmed | undefined> {
  const zoneId = await findLargeHistory(trx, maxOctets, after);
  if (zoneId === undefined) return undefined;
  return { zoneId, ...(await findCut(trx, zoneId, maxOctets * KEPT_SHARE)) };
}
