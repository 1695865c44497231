import { randomUUID } from 'node:crypto';
import { isDatabaseUnavailable } from '@zonewright/database';
import {
  expireRecords,
  inTransaction,
  listZonesToExpire,
  type ZoneToExpire,
} from '@zonewright/zones';
import { NO_SIGNER } from '../access/signer-client.js';
import type { Context } from '../context/context.js';
import { RepeatedJob } from './repeated-job.js';

/** The interval of the checks, which is about the longest delay of an expiry. */
const EVERY_MS = 1_000;
/** Pause after a failure in a zone, so that it does not delay the records of others. */
const REST_MS = 30_000;
const FAILURE = 'expired records cannot be deleted at the moment; trying again';

/**
 * Deletes records at their expiry time, while the service runs. The expiry times are in the rows. If a process ends,
 * the next one continues its work. If several run, each handles all records.
 */
export class Expiry extends RepeatedJob {
  readonly #context: Context;
  /** Paused zones, and the end of the pause. */
  readonly #resting = new Map<string, number>();

  constructor(context: Context) {
    super({ log: context.log, restMs: EVERY_MS, onFailure: FAILURE });
    this.#context = context;
  }

  override async run(): Promise<void> {
    const { db, clock } = this.#context;
    for (const [id, until] of this.#resting) {
      if (until <= clock.now()) this.#resting.delete(id);
    }
    for (;;) {
      const zones = await listZonesToExpire(db, [...this.#resting.keys()]);
      if (zones.length === 0) return;
      await this.#expireAll(zones);
      if (this.isStopped) return;
    }
  }

  async #expireAll(zones: readonly ZoneToExpire[]): Promise<void> {
    for (const zone of zones) {
      if (this.isStopped) return;
      const expired = await this.#expire(zone);
      if (expired > 0) continue;
      this.#resting.set(zone.id, this.#context.clock.now() + REST_MS);
    }
  }

  /** @returns the number of deleted records */
  async #expire(zone: ZoneToExpire): Promise<number> {
    const { db, clock, settings, metrics, signer = NO_SIGNER } = this.#context;
    const rules = {
      ...settings.rules,
      cloudAdminRoles: settings.access.cloudAdminRoles,
      signsNewZones: false,
    };
    const parts = {
      caller: { userId: 'expiry', tenantId: zone.tenantId, roles: [] },
      requestId: randomUUID(),
      source: 'expiry' as const,
      note: undefined,
      rules,
      clock,
      signer,
      written: { octets: 0 },
      zonesToKeep: new Set<string>(),
      isDryRun: false,
    };
    try {
      return await inTransaction(
        db,
        (trx) => expireRecords({ ...parts, trx, hints: { mixedTtl: false } }, zone),
        () => {
          metrics.transactionRetries.inc();
        },
      );
    } catch (error) {
      const level = isDatabaseUnavailable(error) ? 'debug' : 'warn';
      this.#context.log[level]({ err: error }, FAILURE);
      return 0;
    }
  }
}
