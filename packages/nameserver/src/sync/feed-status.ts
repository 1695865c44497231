import {
  FEED_START,
  type FeedHead,
  type FeedHorizon,
  type FeedLineage,
  type ReaderPosition,
  type FeedPosition,
  horizonAt,
} from '@zonewright/database';

/** When a reading had changed zones, in milliseconds since 1970, and all that these show since. */
export interface AppliedMoment {
  readonly horizon: FeedHorizon;
  readonly at: number;
}

/** Moments that are kept while they cannot be told: of some seconds. A change of an earlier one gets a later one. */
const MAX_MOMENTS = 1_000;

/** How far this nameserver has followed the feed; written by the follower, read by metrics, readiness and the status row. */
export class FeedStatus {
  position: FeedPosition = FEED_START;
  /** Timeline that the position belongs to; undefined if it is unknown. */
  lineage: FeedLineage | undefined;
  /** Transactions that the image shows; undefined if nothing has been read. Set once every reader of the image sees it. */
  horizon: FeedHorizon | undefined;
  /**
   * The part of `position` that is on the disk of the database. After a crash the database gives later ids again
   * (ADR 0020).
   */
  durable: FeedPosition = FEED_START;
  /** When the last reading that succeeded began, by performance.now(). */
  readingBeganAt = Number.NEGATIVE_INFINITY;
  /** The zones have been read once; before that, no name can be told to be another's. */
  isLoaded = false;
  isReachable = false;
  /** When the feed was last read, in milliseconds since 1970; before that, when this server was started. */
  readAt: number;
  /** When a reading last changed a zone; before that, when this server was started. */
  appliedAt: number;
  /** Readings that changed a zone, the oldest first, of which nobody has been told. */
  moments: readonly AppliedMoment[] = [];
  /**
   * Resolves when the database was read for the first time, or could not be. A snapshot alone does not resolve it: its serials may be
   * older than those that were answered before the restart.
   */
  readonly firstReading: Promise<void>;
  #endFirstReading: () => void = () => undefined;
  #isKnown = false;
  /** A position that is durable once the log is flushed so far. */
  #awaited: { readonly position: FeedPosition; readonly inserted: number } | undefined;

  constructor(startedAt: number) {
    this.readAt = startedAt;
    this.appliedAt = startedAt;
    this.firstReading = new Promise((resolve) => {
      this.#endFirstReading = resolve;
    });
  }

  /** Goes on where a snapshot was written. */
  resume(position: FeedPosition, readAt: number, lineage?: FeedLineage): void {
    this.position = position;
    this.lineage = lineage;
    this.horizon = horizonAt(position);
    this.durable = position;
    this.isLoaded = true;
    this.readAt = readAt;
    this.appliedAt = readAt;
  }

  /** A reading succeeded. True if that is news. */
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

  /** Takes over where a reading stands. */
  moveTo(reading: Pick<FeedHead, 'position' | 'horizon' | 'lineage' | 'log'>): void {
    const { position, horizon, lineage, log } = reading;
    // A position that is awaited in one timeline says nothing about another.
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

  /** Whether all that the last reading showed is durable. */
  get isDurable(): boolean {
    return this.#awaited === undefined;
  }

  told(moments: readonly AppliedMoment[]): void {
    this.moments = this.moments.filter((moment) => !moments.includes(moment));
  }

  /** A reading failed. True if that is news. */
  lost(): boolean {
    const isNews = this.isReachable || !this.#isKnown;
    this.#isKnown = true;
    this.isReachable = false;
    this.#endFirstReading();
    return isNews;
  }

  /** Place of the last reading; undefined if it is unknown. */
  get place(): ReaderPosition | undefined {
    const { position, horizon, lineage } = this;
    if (horizon === undefined || lineage === undefined) return undefined;
    return { position, horizon, lineage };
  }

  /** How old what we know may be. After the clock was set back it counts from then on. */
  lagMs(now: number): number {
    if (now < this.readAt) this.readAt = now;
    return now - this.readAt;
  }
}
