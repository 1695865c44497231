import type { Database } from '@zonewright/database';
import type { Clock } from '@zonewright/service-kit';
import { increaseSerials } from './commit/raise-serials.js';
import {
  announceRollout,
  releaseRollout,
  findVersionToPublish,
  lockOutdatedZones,
  acquireRollout,
} from '../rows/apex-store.js';

interface RaiseOptions {
  /** Limit for all replicas together. */
  readonly zonesPerSecond: number;
  readonly clock: Clock;
}

/** A second's zones go in so many transactions: writers of a zone wait for one of them at most, which is short. */
const BATCHES_PER_SECOND = 10;
const MOST_IN_A_BATCH = 500;
/**
 * Pause after a transaction, as a multiple of its duration. Increasing serials uses at most a quarter of a connection's time,
 * also on a busy database.
 */
const REST_SHARE = 3;

/**
 * Gives some zones that do not show the latest servers and SOA times their next serial, and these with it. Replicas take
 * turns. @returns how many, and when there may be more to do; undefined: for now there is nothing, or another one is at it
 */
export async function rolloutApex(
  db: Database,
  { zonesPerSecond, clock }: RaiseOptions,
): Promise<{ raised: number; restMs: number } | undefined> {
  const version = await findVersionToPublish(db);
  if (version === undefined) return undefined;
  const limit = Math.min(Math.ceil(zonesPerSecond / BATCHES_PER_SECOND), MOST_IN_A_BATCH);
  return await db.transaction(async (trx) => {
    if (!(await acquireRollout(trx))) return undefined;
    const ids = await lockOutdatedZones(trx, limit);
    await increaseSerials(trx, ids, { requestId: `apex-version-${version}`, clock });
    await announceRollout(trx);
    const restMs = await releaseRollout(trx, (limit / zonesPerSecond) * 1_000, REST_SHARE);
    return { raised: ids.length, restMs };
  });
}
