import type { Database, FeedPosition } from '@zonewright/database';
import type { Logger } from '@zonewright/service-kit';
import type { GuardedDatabase } from './guarded-database.js';

/** What the status row of a nameserver says (dns.nameserver_status). */
export interface NameserverStatus {
  readonly name: string;
  readonly address: string;
  readonly software: string;
  readonly appliedBefore: FeedPosition;
  readonly zones: number;
  readonly imageOctets: number;
  readonly startedMsAgo: number;
  readonly appliedMsAgo: number;
}

interface StatusReporterOptions {
  readonly database: GuardedDatabase;
  readonly currentStatus: () => NameserverStatus;
  readonly log: Logger;
}

/** While changes flow, the API learns of each within this time. */
const MIN_INTERVAL_MS = 20;
/** Otherwise a sign of life: who misses some of these counts the server as gone. */
const HEARTBEAT_MS = 1_000;

/**
 * Keeps the status row of this nameserver up to date, one write at a time. What could not be told while PostgreSQL was
 * away is told by the next heartbeat that arrives.
 */
export class StatusReporter {
  readonly #options: StatusReporterOptions;
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> = Promise.resolve();
  #isWriting = false;
  #isDue = false;
  #isStopped = true;
  #wroteAt = Number.NEGATIVE_INFINITY;
  #isFailing = false;

  constructor(options: StatusReporterOptions) {
    this.#options = options;
  }

  start(): void {
    this.#isStopped = false;
    this.report();
  }

  /** The status has changed. */
  report(): void {
    if (this.#isDue || this.#isStopped) return;
    this.#isDue = true;
    if (!this.#isWriting) this.#schedule();
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    await this.#options.database.close();
    await this.#writing;
  }

  #schedule(): void {
    if (this.#isStopped) return;
    const interval = this.#isDue ? MIN_INTERVAL_MS : HEARTBEAT_MS;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(
      () => {
        this.#writing = this.#write();
      },
      Math.max(0, this.#wroteAt + interval - performance.now()),
    );
  }

  async #write(): Promise<void> {
    const { database, currentStatus, log } = this.#options;
    this.#isDue = false;
    this.#isWriting = true;
    this.#wroteAt = performance.now();
    try {
      await database.run((db) => saveNameserverStatus(db, currentStatus()));
      this.#isFailing = false;
    } catch (error) {
      if (!this.#isFailing && !this.#isStopped) {
        log.warn({ err: error }, 'the status row cannot be written');
      }
      this.#isFailing = true;
    }
    this.#isWriting = false;
    this.#schedule();
  }
}

/** All times by the clock of PostgreSQL, so that the rows of several servers can be compared. */
async function saveNameserverStatus(db: Database, status: NameserverStatus): Promise<void> {
  await db.raw(
    `insert into dns.nameserver_status as s
       (name, address, software, applied_before, zones, image_bytes, started_at, applied_at, heartbeat_at)
     values (?, ?, ?, ?::xid8, ?, ?,
             now() - make_interval(secs => ?), now() - make_interval(secs => ?), now())
     on conflict (name) do update
        set address = excluded.address, software = excluded.software, applied_before = excluded.applied_before,
            zones = excluded.zones, image_bytes = excluded.image_bytes, started_at = excluded.started_at,
            applied_at = excluded.applied_at, heartbeat_at = excluded.heartbeat_at`,
    [
      status.name,
      status.address,
      status.software,
      status.appliedBefore,
      status.zones,
      status.imageOctets,
      status.startedMsAgo / 1_000,
      status.appliedMsAgo / 1_000,
    ],
  );
}
