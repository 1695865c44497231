import {
  CHANNELS,
  type Database,
  FEED_START,
  type FeedHead,
  type FeedLineage,
  type FeedPosition,
  type FeedReading,
  isAtOrBefore,
  NotificationListener,
  NotInChangesError,
  readFeed,
  readFeedChanges,
} from '@zonewright/database';
import { type Clock, intervalAfter, type Logger, type Pace } from '@zonewright/service-kit';
import type { ImageWriter } from '../image/image-writer.js';
import { IMAGE_STATE, type ImageState } from '../image/layout.js';
import { type DatabaseIdentityCheck, IdentityMismatchError } from './database-identity-check.js';
import type { FeedStatus } from './feed-status.js';
import { type GuardedDatabase, withinTime, type WorkGuard } from './guarded-database.js';
import type { ZoneLoader } from './load-zones.js';

interface FeedFollowerOptions {
  /** URL of the connection that listens; `database` is for reading. */
  readonly databaseUrl: string;
  readonly database: GuardedDatabase;
  readonly image: ImageWriter;
  readonly loader: ZoneLoader;
  readonly status: FeedStatus;
  readonly identityCheck: DatabaseIdentityCheck;
  readonly pollIntervalMs: number;
  readonly staleAfterMs: number;
  /** Called after each reading. */
  readonly onRead: () => void;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Interval of connection attempts while PostgreSQL is unavailable. */
const RETRY_INTERVAL_MS = 250;
/**
 * Pause after a reading: twice its duration. Many changes per second are then read together, more of them on a busy
 * machine. Six nameservers that read each change separately would use up PostgreSQL.
 */
const REST: Pace = {
  share: 2,
  /** At most about 160 readings per second, however short they are. */
  leastMs: 5,
  /** Longest time that a change waits for this reason. */
  mostMs: 20,
};
/** Maximum difference between the clocks of writing hosts and of this one. */
const CLOCK_TOLERANCE_SECONDS = 60;
/** Time limit of a close. A process that ends does not wait for a server that does not respond. */
const CLOSE_TIMEOUT_MS = 300;

/**
 * Follows the change feed while it runs. Notifications start a reading, and it polls in case one is lost. Notifications
 * that arrive during a reading cause one more reading. While PostgreSQL is unavailable, the image is not changed.
 */
export class FeedFollower {
  readonly #options: FeedFollowerOptions;
  readonly #listener: NotificationListener;
  #running: Promise<void> = Promise.resolve();
  #isStopped = false;
  #isWoken = false;
  /** Time at which the connection of the last reading was made. */
  #connectedAt = Number.NEGATIVE_INFINITY;
  #toldMismatch: string | undefined;
  #wakeUp: (() => void) | undefined;

  constructor(options: FeedFollowerOptions) {
    this.#options = options;
    this.#listener = new NotificationListener({
      url: options.databaseUrl,
      applicationName: 'zonewright-nameserver-listen',
      channel: CHANNELS.dns,
      onNotify: () => {
        this.#wake();
      },
      // The readings already report whether PostgreSQL is available, and a replica never allows LISTEN.
      onError: (error) => {
        options.log.debug({ err: error }, 'no notifications');
      },
    });
  }

  start(): void {
    this.#listener.start();
    this.#running = this.#follow();
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#wake();
    await Promise.all([
      this.#options.database.close(),
      withinTime(this.#listener.stop(), CLOSE_TIMEOUT_MS),
    ]);
    await this.#running;
  }

  #wake(): void {
    this.#isWoken = true;
    this.#wakeUp?.();
  }

  async #follow(): Promise<void> {
    while (!this.#isStopped) {
      this.#isWoken = false;
      const startedAt = performance.now();
      const isRead = await this.#tryToRead();
      if (isRead) {
        const restMs = intervalAfter(performance.now() - startedAt, REST);
        await this.#sleepUntilWoken(restMs, false);
        await this.#sleepUntilWoken(this.#options.pollIntervalMs);
      } else {
        await this.#sleepUntilWoken(RETRY_INTERVAL_MS, false);
      }
    }
  }

  /**
   * Waits until a notification arrives or the time is over. With `byNotification` false, only stop() ends the wait
   * early.
   */
  async #sleepUntilWoken(ms: number, byNotification = true): Promise<void> {
    if (this.#isStopped || (byNotification && this.#isWoken)) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.#wakeUp = () => {
        if (!byNotification && !this.#isStopped) return;
        clearTimeout(timer);
        resolve();
      };
    });
    this.#wakeUp = undefined;
  }

  async #tryToRead(): Promise<boolean> {
    const { database, status, image, clock, log, onRead, staleAfterMs } = this.#options;
    const beganAt = performance.now();
    try {
      const changedZones = await database.run((db, guard) => this.#read(db, guard));
      this.#reportMismatch();
      status.readingBeganAt = beganAt;
      if (status.reached(clock.now(), changedZones)) {
        log.info({ zones: image.zones, records: image.records }, 'up to date with PostgreSQL');
      }
      image.setState(imageStateOf(image, false));
      onRead();
      return true;
    } catch (error) {
      if (this.#isStopped) return false;
      const isNews = status.lost();
      if (error instanceof IdentityMismatchError) {
        this.#reportMismatch();
      } else if (isNews) {
        log.warn(
          { err: error },
          'zones cannot be read from PostgreSQL; answering with earlier data',
        );
      }
      if (status.isLoaded && status.lagMs(clock.now()) > staleAfterMs) {
        image.setState(imageStateOf(image, true));
      }
      return false;
    }
  }

  /** Reports a mismatch once, since readings follow each other. */
  #reportMismatch(): void {
    const { identityCheck, log } = this.#options;
    const { doubt } = identityCheck;
    // The text of a mismatch contains numbers that change with each zone.
    if ((doubt === undefined) === (this.#toldMismatch === undefined)) return;
    this.#toldMismatch = doubt;
    if (doubt === undefined) log.info('the database is trusted again');
    else log.error({ doubt }, 'the database is not trusted');
  }

  async #read(db: Database, guard: WorkGuard): Promise<number> {
    const changedZones = await this.#readChanges(db, guard);
    if (changedZones !== undefined) return changedZones;
    const { loader } = this.#options;
    return await readFeed(
      db,
      FEED_START,
      async (reading) => {
        guard.onProgress();
        const applied = await loader.applyAll(reading, guard, this.#divergedAt(reading));
        this.#reach(reading, guard);
        return applied;
      },
      {
        examine: this.#examine,
        onProgress: () => {
          guard.onProgress();
        },
      },
    );
  }

  /**
   * Returns the time in seconds since which a different database may have assigned serials that are served here. It is
   * some time before the last reading, since clocks differ. Undefined if the database is the same.
   */
  #divergedAt({ position, lineage }: FeedReading): number | undefined {
    const { status } = this.#options;
    const isSame = !isBehind(position, status.position) && !isOther(lineage, status.lineage);
    return isSame ? undefined : Math.floor(status.readAt / 1_000) - CLOCK_TOLERANCE_SECONDS;
  }

  readonly #examine = (head: FeedHead) => {
    const { identityCheck, loader } = this.#options;
    identityCheck.examine(head, () => loader.holdsZones);
  };

  /** Returns undefined if everything must be read. */
  async #readChanges(db: Database, guard: WorkGuard): Promise<number | undefined> {
    const { database, loader, status, identityCheck } = this.#options;
    const { position: since, durable, isDurable, place } = status;
    if (since === FEED_START) return undefined;
    const apply = async (reading: FeedReading) => {
      guard.onProgress();
      this.#examine(reading);
      if (
        loader.mustReadAll(reading) ||
        identityCheck.isOther(reading.database) ||
        isBehind(reading.position, since) ||
        mayMissTombstones(reading, since) ||
        isOther(reading.lineage, status.lineage)
      ) {
        return undefined;
      }
      const applied = await loader.applyChanges(reading, guard, durable);
      this.#reach(reading, guard);
      return applied;
    };
    const read = () =>
      readFeed(db, durable, apply, {
        examine: (head) => {
          guard.onProgress();
          this.#examine(head);
        },
      });
    const news =
      place === undefined ? undefined : await readFeedChanges(db, place, loader.listPatched());
    guard.onProgress();
    // If the connection was lost, PostgreSQL may have crashed and reused ids that it had shown before.
    const isSure = isDurable || database.connectedAt === this.#connectedAt;
    if (news === undefined || !isSure) return await read();
    try {
      return await apply(news);
    } catch (error) {
      // The large zone could not be patched.
      if (error instanceof NotInChangesError) return await read();
      throw error;
    }
  }

  /** Marks a reading as visible: all threads that answer read the directory of the image for each query. */
  #reach(reading: FeedReading, guard: WorkGuard): void {
    // Abandoned work belonged to another connection.
    guard.onProgress();
    const { database, status, identityCheck, image } = this.#options;
    this.#connectedAt = database.connectedAt;
    status.moveTo(reading);
    identityCheck.settle(reading.database, image.zones);
  }
}

/**
 * Whether the position is earlier than before. It then comes from a different database: a restored backup, or a replica
 * that took over. Only a full reading finds its changes since then.
 */
function isBehind(position: FeedPosition, since: FeedPosition): boolean {
  return !isAtOrBefore(since, position);
}

/**
 * Whether deletions may have been missed: a zone deleted after the last reading may have been purged since. A floor
 * that the database itself has not reached came with a dump of another database.
 */
function mayMissTombstones({ floor, position }: FeedReading, since: FeedPosition): boolean {
  return floor !== undefined && isAtOrBefore(since, floor) && isAtOrBefore(floor, position);
}

/**
 * Whether the timeline differs. A standby that took over, or a restored backup, may already have passed our position.
 */
function isOther(lineage: FeedLineage | undefined, known: FeedLineage | undefined): boolean {
  return lineage !== undefined && known !== undefined && lineage !== known;
}

/**
 * Returns the state of an image that the feed has filled. Without any zone, a nameserver cannot know which names belong
 * to it, so it answers SERVFAIL, not REFUSED (ADR 0020).
 */
export function imageStateOf(image: { readonly zones: number }, isStale: boolean): ImageState {
  if (image.zones === 0) return IMAGE_STATE.LOADING;
  return isStale ? IMAGE_STATE.STALE : IMAGE_STATE.CURRENT;
}
