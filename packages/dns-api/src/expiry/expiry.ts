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

/** How late a record may go, about. */
const EVERY_MS = 1_000;

/**
 * Deletes records at the end that their users gave them, for as long as the service runs. What is due is in the rows: a process that
 * ends leaves the rest to the next one, and of several each looks after all.
 */
export class Expiry {
  readonly #context: Context;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> = Promise.resolve();
  #isStopped = false;

  constructor(context: Context) {
    this.#context = context;
  }

  start(): void {
    if (this.#isStopped) return;
    this.#timer = setTimeout(() => {
      this.#running = this.#look().then(() => {
        this.start();
      });
    }, EVERY_MS);
    this.#timer.unref();
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    await this.#running;
  }

  async #look(): Promise<void> {
    try {
      for (const zone of await listZonesToExpire(this.#context.db)) {
        if (this.#isStopped) return;
        await this.#expire(zone);
      }
    } catch (error) {
      this.#warn(error);
    }
  }

  /** A zone that cannot be signed now keeps nobody else's records from going. */
  async #expire(zone: ZoneToExpire): Promise<void> {
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
      isDryRun: false,
    };
    try {
      await inTransaction(
        db,
        (trx) => expireRecords({ ...parts, trx, hints: { mixedTtl: false } }, zone),
        () => {
          metrics.transactionRetries.inc();
        },
      );
    } catch (error) {
      this.#warn(error);
    }
  }

  #warn(error: unknown): void {
    const level = isDatabaseUnavailable(error) ? 'debug' : 'warn';
    this.#context.log[level](
      { err: error },
      'records at their end cannot be deleted now; tried again',
    );
  }
}
