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
  /** The limit applies to all replicas together. */
  readonly zonesPerSecond: number;
  readonly clock: Clock;
}

/**
 * The number of transactions into which a second's zones are divided. Another writer waits for at most one of these
 * short transactions.
 */
const BATCHES_PER_SECOND = 10;
const MOST_IN_A_BATCH = 500;
/**
 * The pause after a transaction, as a multiple of its duration. Increasing serials therefore uses at most a quarter of
 * a connection's time, even on a busy database.
 */
const REST_SHARE = 3;

/**
 * Publishes the latest nameservers and SOA times in some zones that do not have them yet, each with its next serial.
 * Replicas take turns.
 *
 * @returns the number of zones and the pause before the next ones; undefined if nothing is to be done or another
 * replica is doing it
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
