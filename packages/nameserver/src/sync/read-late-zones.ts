import { type Database, type FeedHead, readFeed } from '@zonewright/database';
import type { Logger } from '@zonewright/service-kit';
import type { FeedStatus } from './feed-status.js';
import type { GuardedDatabase, WorkGuard } from './guarded-database.js';
import type { LateZone, LateZones } from './late-zones.js';
import type { ZoneLoader } from './load-zones.js';

interface LateZoneReaderOptions {
  /** Opens a separate connection, which is closed when nothing is left to read. */
  readonly open: () => GuardedDatabase;
  readonly loader: ZoneLoader;
  readonly status: FeedStatus;
  /** Throws if no data of the database may be applied. */
  readonly examine: (head: FeedHead) => void;
  /** Called after each zone. */
  readonly onRead: () => void;
  readonly log: Logger;
}

/** Interval of retries after a failure, and while the database server does not have the zone yet. */
const RETRY_MS = 250;

/**
 * Reads large zones one after the other, over a separate connection, so that changes of other zones do not wait for
 * them.
 */
export class LateZoneReader {
  readonly #options: LateZoneReaderOptions;
  readonly #late: LateZones;
  #database: GuardedDatabase | undefined;
  #running: Promise<void> | undefined;
  #isStopped = false;
  #endRest: (() => void) | undefined;

  constructor(options: LateZoneReaderOptions) {
    this.#options = options;
    this.#late = options.loader.late;
    this.#late.onAdded = () => {
      this.#start();
    };
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#endRest?.();
    await this.#database?.close();
    await this.#running;
  }

  #start(): void {
    if (this.#isStopped) return;
    this.#running ??= this.#readAll().finally(() => {
      this.#running = undefined;
      // A zone may have been added while the connection was closed.
      if (this.#late.size > 0) this.#start();
    });
  }

  async #readAll(): Promise<void> {
    this.#database = this.#options.open();
    for (let late = this.#late.next(); late !== undefined; late = this.#late.next()) {
      if (this.#isStopped) break;
      if (!(await this.#tryToRead(this.#database, late))) await this.#rest();
    }
    await this.#database.close();
    this.#database = undefined;
  }

  async #tryToRead(database: GuardedDatabase, late: LateZone): Promise<boolean> {
    const { log, onRead } = this.#options;
    try {
      const isRead = await database.run((db, guard) => this.#read(db, guard, late));
      if (isRead) onRead();
      return isRead;
    } catch (error) {
      const { name } = late.zone;
      if (!this.#isStopped) log.debug({ err: error, zone: name }, 'a large zone cannot be read');
      return !this.#late.isWanted(late);
    }
  }

  /** Returns false if the database server does not have the version of the zone that was seen before. */
  async #read(db: Database, guard: WorkGuard, late: LateZone): Promise<boolean> {
    const { loader, status, examine } = this.#options;
    const { zone, since } = late;
    const lineage = status.lineage;
    return await readFeed(
      db,
      since,
      async (reading) => {
        guard.onProgress();
        if (reading.lineage !== lineage) return false;
        const found = reading.changes.find(({ name }) => name === zone.name)?.zone;
        if (found?.domainId !== zone.domainId || found.serial < zone.serial) return false;
        await loader.applyLate(found, reading, {
          onProgress: () => {
            guard.onProgress();
            // The zone was deleted, or everything is being read again.
            if (!this.#late.isWanted(late) || status.lineage !== lineage) throw new DroppedError();
          },
        });
        return true;
      },
      {
        examine,
        onProgress: () => {
          guard.onProgress();
        },
      },
    );
  }

  async #rest(): Promise<void> {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, RETRY_MS);
      this.#endRest = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}

class DroppedError extends Error {
  override readonly message = 'the zone no longer needs to be read';
}
