import {
  FEED_START,
  type FeedHead,
  type FeedHorizon,
  type FeedLineage,
  type ReaderPosition,
  type FeedPosition,
  horizonAt,
} from '@zonewright/database';

/**
 * Time at which a reading had changed zones, in milliseconds since 1970, and the transactions that are visible since
 * then.
 */
export interface AppliedMoment {
  readonly horizon: FeedHorizon;
  readonly at: number;
}

/**
 * Maximum number of moments that are kept while they cannot be reported, enough for some seconds. Older moments are
 * dropped, and the next one covers their changes.
 */
const MAX_MOMENTS = 1_000;

/** Progress of this nameserver in the feed. The follower writes it; metrics, readiness and the status row read it. */
export class FeedStatus {
  position: FeedPosition = FEED_START;
  /** Timeline that the position belongs to. Undefined if it is unknown. */
  lineage: FeedLineage | undefined;
  /**
   * Transactions that are visible in the image. Undefined if nothing has been read. It is set when every reader of the
   * image sees them.
   */
  horizon: FeedHorizon | undefined;
  /**
   * Part of `position` that is on the disk of the database. After a crash, the database reuses later ids (ADR 0020).
   */
  durable: FeedPosition = FEED_START;
  /** Time at which the last successful reading began, by performance.now(). */
  readingBeganAt = Number.NEGATIVE_INFINITY;
  /** Whether the zones have been read at least once. Before that, a missing name may belong to this server. */
  isLoaded = false;
  isReachable = false;
  /**
   * Time of the last reading of the feed in milliseconds since 1970. Before the first reading, the start time of this
   * server.
   */
  readAt: number;
  /** Time at which a reading last changed a zone. Before that, the start time of this server. */
  appliedAt: number;
  /** Readings that changed a zone and have not been reported, oldest first. */
  moments: readonly AppliedMoment[] = [];
  /**
   * Resolves when the first reading of the database succeeded or failed. A snapshot does not resolve it: its serials
   * may be older than those that were served before the restart.
   */
  readonly firstReading: Promise<void>;
  #endFirstReading: () => void = () => undefined;
  #isKnown = false;
  /** Position that will be durable when the log is flushed up to it. */
  #awaited: { readonly position: FeedPosition; readonly inserted: number } | undefined;

  constructor(startedAt: number) {
    this.readAt = startedAt;
    this.appliedAt = startedAt;
    this.firstReading = new Promise((resolve) => {
      this.#endFirstReading = resolve;
    });
  }

  /** Continues from a snapshot. */
  resume(position: FeedPosition, readAt: number, lineage?: FeedLineage): void {
    this.position = position;
    this.lineage = lineage;
    this.horizon = horizonAt(position);
    this.durable = position;
    this.isLoaded = true;
    this.readAt = readAt;
    this.appliedAt = readAt;
  }

  /** Called after a successful reading. Returns true if the previous one failed. */
  reached(now: number, changedZones: number): boolean {
    const isNews = !this.isReachable;
    this.#isKnown = true;
    this.isReachable = true;
    this.isLoaded = true;
    this.#endFirstReading();
    this.readAt = now;
    if (changedZones > 0) {
      this.appliedAt = now;
      if (this.horizon !== undefined) {
        this.moments = [...this.moments.slice(1 - MAX_MOMENTS), { horizon: this.horizon, at: now }];
      }
    }
    return isNews;
  }

  moveTo(reading: Pick<FeedHead, 'position' | 'horizon' | 'lineage' | 'log'>): void {
    const { position, horizon, lineage, log } = reading;
    // A position of one timeline has no meaning in another.
    if (lineage !== this.lineage) this.#awaited = undefined;
    this.position = position;
    this.horizon = horizon;
    this.lineage = lineage ?? this.lineage;
    const { inserted, flushed } = log;
    if (flushed >= inserted) {
      this.durable = position;
      this.#awaited = undefined;
    } else if (this.#awaited === undefined) {
      this.#awaited = { position, inserted };
    } else if (flushed >= this.#awaited.inserted) {
      this.durable = this.#awaited.position;
      this.#awaited = { position, inserted };
    }
  }

  /** Whether everything in the last reading is durable. */
  get isDurable(): boolean {
    return this.#awaited === undefined;
  }

  told(moments: readonly AppliedMoment[]): void {
    this.moments = this.moments.filter((moment) => !moments.includes(moment));
  }

  /** Called after a failed reading. Returns true if the previous one succeeded. */
  lost(): boolean {
    const isNews = this.isReachable || !this.#isKnown;
    this.#isKnown = true;
    this.isReachable = false;
    this.#endFirstReading();
    return isNews;
  }

  /** Position of the last reading. Undefined if it is unknown. */
  get place(): ReaderPosition | undefined {
    const { position, horizon, lineage } = this;
    if (horizon === undefined || lineage === undefined) return undefined;
    return { position, horizon, lineage };
  }

  /** Returns the maximum age of the data. After the clock was set back, the age counts from then on. */
  lagMs(now: number): number {
    if (now < this.readAt) this.readAt = now;
    return now - this.readAt;
  }
}
