import { type Database, isDatabaseUnavailable } from '@zonewright/database';
import type { Clock, Logger } from '@zonewright/service-kit';
import {
  deleteOldSignedChanges,
  listDueZones,
  maintainZone,
  type MaintenanceContext,
  type ZoneSigner,
} from '@zonewright/zones';

export interface ZoneJobsParts {
  readonly db: Database;
  readonly clock: Clock;
  readonly log: Logger;
  readonly everyMs: number;
  /** Returns the signer to use in a transaction. */
  readonly signerOf: (trx: Database) => ZoneSigner;
  readonly createKey: MaintenanceContext['createKey'];
  /** @throws ServiceError if the clock may be wrong */
  readonly requireClock: () => Promise<void>;
  /** Runs a step of the audit at the end of each round. */
  readonly audit: { step(): Promise<boolean> };
  /** Called for each action. */
  readonly onDone: (kind: string) => void;
}

const ZONES_AT_ONCE = 100;
/** Time for which nameservers may be unavailable and still receive each signed change, in milliseconds. */
const STEPS_KEPT_MS = 30 * 86_400_000;
const STEPS_AT_ONCE = 5_000;
/** Time before maintenance of a zone is retried after a failure, in milliseconds. */
const AFTER_FAILURE_MS = 60_000;

/**
 * Runs due actions, each in its own transaction. New zones are signed first; then signatures are renewed, keys rolled
 * and signatures removed. Replicas share the zones: a zone that one replica has locked is skipped by the others. All
 * state is in the database.
 */
export class ZoneJobs {
  readonly #parts: ZoneJobsParts;
  readonly #failedUntil = new Map<string, number>();
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> = Promise.resolve();
  #isStopped = false;

  constructor(parts: ZoneJobsParts) {
    this.#parts = parts;
  }

  start(): void {
    if (this.#isStopped) return;
    this.#timer = setTimeout(() => {
      this.#running = this.#runSafely().then(() => {
        this.start();
      });
    }, this.#parts.everyMs);
    this.#timer.unref();
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    await this.#running;
  }

  /** Runs all actions that are due. @returns their number */
  async run(): Promise<number> {
    const { db, clock } = this.#parts;
    await this.#parts.requireClock();
    let done = 0;
    for (;;) {
      // However many zones have failed, they do not delay the others.
      const search = { limit: ZONES_AT_ONCE, except: this.#listFailed() };
      const zones = await listDueZones(db, new Date(clock.now()), search);
      let progress = 0;
      for (const id of zones) progress += await this.#maintain(id);
      done += progress;
      if (progress === 0 || this.#isStopped) break;
    }
    await this.#parts.audit.step();
    await deleteOldSignedChanges(db, new Date(clock.now() - STEPS_KEPT_MS), STEPS_AT_ONCE);
    return done;
  }

  async #maintain(zoneId: string): Promise<number> {
    const { db, clock, log, signerOf, createKey, onDone } = this.#parts;
    let done = 0;
    try {
      while (!this.#isStopped) {
        const kind = await db.transaction((trx) =>
          maintainZone({ trx, clock, signer: signerOf(trx), createKey }, zoneId),
        );
        if (kind === undefined) break;
        onDone(kind);
        if (kind === 'wait') break;
        log.info({ zoneId, did: kind }, 'a signed zone was maintained');
        done += 1;
      }
    } catch (error) {
      if (isDatabaseUnavailable(error)) throw error;
      log.error({ err: error, zoneId }, 'a zone cannot be maintained; trying again in a minute');
      this.#failedUntil.set(zoneId, Date.now() + AFTER_FAILURE_MS);
    }
    return done;
  }

  #listFailed(): string[] {
    for (const [id, until] of this.#failedUntil) {
      if (until <= Date.now()) this.#failedUntil.delete(id);
    }
    return [...this.#failedUntil.keys()];
  }

  async #runSafely(): Promise<void> {
    try {
      await this.run();
    } catch (error) {
      // The readiness check reports this, too.
      const level = isDatabaseUnavailable(error) ? 'debug' : 'warn';
      this.#parts.log[level](
        { err: error },
        'zones cannot be maintained at the moment; trying again',
      );
    }
  }
}
