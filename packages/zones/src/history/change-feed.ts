import {
  CHANNELS,
  isDatabaseUnavailable,
  NotificationListener,
  openDatabase,
  type Database,
} from '@zonewright/database';
import { intervalAfter, type Logger, type Pace } from '@zonewright/service-kit';
import type { EventPosition } from './step-feed-store.js';
import { type FeedPart, readFeedEnd, readChangesetFeed } from './step-feed-store.js';

interface ChangeFeedOptions {
  /** URL for separate connections, since all connections for requests may be in use. */
  readonly databaseUrl: string;
  readonly applicationName: string;
  readonly log: Logger;
  /** Returns tenants with listeners. If there are none, nothing is read. */
  readonly tenantIds: () => readonly string[];
  /** Called with each part. The next part is read after the returned promise resolves. */
  readonly onPart: (part: FeedPart) => Promise<void>;
}

/** Limits reading and reporting to half of the time, however much is written, so that other work is not delayed. */
const PACE: Pace = { share: 2, leastMs: 10, mostMs: 1_000 };
/** Interval of queries while no notifications arrive. */
const FALLBACK_INTERVAL_MS = 1_000;

/**
 * Reports changes in the zones of some tenants soon after they are committed. One query serves all listeners; it runs
 * after each notification and once a second.
 */
export class ChangeFeed {
  readonly #options: ChangeFeedOptions;
  readonly #db: Database;
  readonly #listener: NotificationListener;
  /** Position up to which changes have been reported. Undefined if nobody listens. */
  #position: EventPosition | undefined;
  #opening: Promise<EventPosition> | undefined;
  /**
   * Whether the connection was lost since the position was read. PostgreSQL may have crashed, and reuse ids after the
   * position (ADR 0020).
   */
  #isReconnected = false;
  #timer: NodeJS.Timeout | undefined;
  #dueAt = Number.POSITIVE_INFINITY;
  #readAt = Number.NEGATIVE_INFINITY;
  #intervalMs = PACE.leastMs;
  #isReading = false;
  /** Whether a notification has arrived since the current query started. */
  #isWoken = false;

  constructor(options: ChangeFeedOptions) {
    const { databaseUrl, applicationName, log } = options;
    this.#options = options;
    this.#db = openDatabase({
      url: databaseUrl,
      applicationName,
      maxConnections: 1,
      requiresSchema: true,
      onConnect: () => {
        this.#isReconnected = this.#position !== undefined;
      },
    });
    this.#listener = new NotificationListener({
      url: databaseUrl,
      applicationName: `${applicationName}-listen`,
      channel: CHANNELS.dns,
      onNotify: () => {
        this.#wake();
      },
      onError: (error) => {
        log.warn({ err: error }, 'no notifications of changes: events are read once a second');
      },
    });
  }

  start(): void {
    this.#listener.start();
  }

  async stop(): Promise<void> {
    this.close();
    await Promise.all([this.#listener.stop(), this.#db.destroy()]);
  }

  /** Starts reporting, unless it is already running. @returns the position after the reported changes */
  async open(): Promise<EventPosition> {
    if (this.#position !== undefined) return this.#position;
    this.#opening ??= readFeedEnd(this.#db).finally(() => (this.#opening = undefined));
    return this.#beginAt(await this.#opening);
  }

  #beginAt(end: EventPosition): EventPosition {
    if (this.#position !== undefined) return this.#position;
    this.#schedule(performance.now() + FALLBACK_INTERVAL_MS);
    return (this.#position = end);
  }

  /** Stops reporting when nobody listens any longer. */
  close(): void {
    clearTimeout(this.#timer);
    this.#dueAt = Number.POSITIVE_INFINITY;
    this.#position = undefined;
  }

  get position(): EventPosition | undefined {
    return this.#position;
  }

  #wake(): void {
    if (this.#position === undefined) return;
    if (this.#isReading) this.#isWoken = true;
    else this.#schedule(this.#readAt + this.#intervalMs);
  }

  #schedule(at: number): void {
    if (at >= this.#dueAt) return;
    clearTimeout(this.#timer);
    this.#dueAt = at;
    this.#timer = setTimeout(() => void this.#read(), Math.max(0, at - performance.now()));
  }

  async #read(): Promise<void> {
    this.#dueAt = Number.POSITIVE_INFINITY;
    this.#readAt = performance.now();
    this.#isReading = true;
    this.#isWoken = false;
    const { log, tenantIds, onPart } = this.#options;
    const since = this.#position;
    try {
      const part =
        since === undefined ? undefined : await readChangesetFeed(this.#db, since, tenantIds());
      // The feed may have been closed, and opened again, in the meantime.
      if (part !== undefined && this.#position === since) {
        this.#position = part.position;
        const isWhole = part.isWhole && !this.#isReconnected;
        this.#isReconnected = false;
        await onPart(isWhole ? part : { ...part, steps: [], isWhole });
      }
    } catch (error) {
      const level = isDatabaseUnavailable(error) ? 'debug' : 'error';
      log[level]({ err: error }, 'changes cannot be read for events');
    }
    this.#isReading = false;
    this.#intervalMs = intervalAfter(performance.now() - this.#readAt, PACE);
    if (this.#position === undefined) return;
    this.#schedule(this.#readAt + this.#untilNext);
  }

  get #untilNext(): number {
    return this.#isWoken ? this.#intervalMs : FALLBACK_INTERVAL_MS;
  }
}
