import {
  AHEAD_PAYLOAD_END,
  CHANNELS,
  isDatabaseUnavailable,
  NotificationListener,
  openDatabase,
  type Database,
} from '@zonewright/database';
import { FairSlots, intervalAfter, type Logger, type Pace } from '@zonewright/service-kit';
import {
  countServers,
  isLive,
  isSettled,
  LIVE_MS,
  type NameserverStatus,
  type PublicationCount,
} from './nameserver-status.js';
import { StatusReader } from './status-store.js';
import type { AwaitedChange } from '../rows/zone.js';

interface WatchOptions {
  /** URL for separate connections, since all connections for requests may be in use. */
  readonly databaseUrl: string;
  /** Name of those connections, extended by a suffix. */
  readonly applicationName: string;
  readonly log: Logger;
  /** Called with the number of waiting requests when it changes. */
  readonly onWaiters: (waiters: number) => void;
  /** Called with the time that a request has waited, and the outcome. */
  readonly onWaited: (outcome: WaitOutcome, seconds: number) => void;
}

interface Waiter {
  readonly change: AwaitedChange;
  readonly settle: (outcome: WaitOutcome) => void;
}

/**
 * Receiver of progress reports. It is called when the number of nameservers with the change differs, until the change
 * is published.
 */
interface Follower {
  readonly change: AwaitedChange;
  readonly tenantId: string;
  readonly tell: (servers: readonly NameserverStatus[]) => void;
  /** Time by performance.now() at which reports end, since a nameserver may hang. */
  readonly until: number;
  /** Last reported status. */
  told: string;
}

type WaitOutcome = 'published' | 'timed-out' | 'abandoned' | 'stopped' | 'refused';

interface WaitResult {
  /** False if too many requests wait, of this tenant or of all, or the service is stopping. */
  readonly hasWaited: boolean;
  /** Undefined if the state of the nameservers is unknown. */
  readonly count: PublicationCount | undefined;
}

/** Limits reading to a third of the time, however many nameservers report. */
const PACE: Pace = { share: 3, leastMs: 10, mostMs: 20 };
/** Interval of queries without notifications, which usually arrive much more often. */
const FALLBACK_INTERVAL_MS = 1_000;
/** Maximum number of waiting requests, about 10 MB. Further requests are answered at once. */
const MAX_WAITERS = 10_000;
/** Maximum number of followed changes. Each query checks all of them. */
const MAX_FOLLOWED = 2_000;
const FOLLOWED_MS = 60_000;

/**
 * Lets requests wait until the nameservers answer with a change. Nameservers send a notification when they have written
 * their status. One query then serves all waiting requests, at most once every 10 to 20 ms. Without notifications, it
 * runs a second after the last one. Waiting requests hold no database connection.
 */
export class PublicationWatch {
  readonly statuses: StatusReader;
  /** Called when a nameserver reports zones with later serials than the database has. */
  onZonesAhead: () => void = () => undefined;
  readonly #db: Database;
  readonly #listener: NotificationListener;
  readonly #options: WatchOptions;
  readonly #log: Logger;
  readonly #waiters = new Set<Waiter>();
  readonly #places = new FairSlots({ total: MAX_WAITERS });
  readonly #followers = new Set<Follower>();
  readonly #followed = new FairSlots({ total: MAX_FOLLOWED });
  #latest: readonly NameserverStatus[] | undefined;
  #timer: NodeJS.Timeout | undefined;
  /** Times by performance.now() at which the timer is due, and at which the last query started. */
  #dueAt = Number.POSITIVE_INFINITY;
  #readAt = Number.NEGATIVE_INFINITY;
  #intervalMs = PACE.leastMs;
  #isReading = false;
  /** Number of times that something may have changed. */
  #wakes = 0;
  #isStopped = false;

  constructor(options: WatchOptions) {
    const { databaseUrl, applicationName, log } = options;
    this.#options = options;
    this.#log = log;
    this.#db = openDatabase({
      url: databaseUrl,
      applicationName,
      maxConnections: 1,
      requiresSchema: true,
    });
    this.statuses = new StatusReader(this.#db);
    this.#listener = new NotificationListener({
      url: databaseUrl,
      applicationName: `${applicationName}-listen`,
      channel: CHANNELS.nameserverStatus,
      onNotify: (payload) => {
        this.#wake();
        if (payload?.endsWith(AHEAD_PAYLOAD_END) === true) this.onZonesAhead();
      },
      onError: (error) => {
        log.warn(
          { err: error },
          'no notifications from nameservers: their status is read once a second',
        );
      },
    });
  }

  start(): void {
    this.#listener.start();
  }

  /** Answers waiting and later requests at once. */
  release(): void {
    this.#isStopped = true;
    for (const waiter of [...this.#waiters]) waiter.settle('stopped');
    for (const follower of this.#followers) this.#unfollow(follower);
  }

  async stop(): Promise<void> {
    this.release();
    clearTimeout(this.#timer);
    await Promise.all([this.#listener.stop(), this.#db.destroy()]);
  }

  /**
   * Resolves when every live nameserver answers with the change, after `ms`, or when `onAbandoned` calls back. It never
   * rejects.
   */
  async wait(
    change: AwaitedChange,
    tenantId: string,
    ms: number,
    onAbandoned: (callback: () => void) => void,
  ): Promise<WaitResult> {
    const isRefused = this.#isStopped || !this.#places.tryEnter(tenantId);
    const started = performance.now();
    const outcome = isRefused ? 'refused' : await this.#join(change, ms, onAbandoned);
    if (!isRefused) this.#places.leave(tenantId);
    this.#options.onWaited(outcome, (performance.now() - started) / 1_000);
    const count = this.#latest && countServers(this.#latest, change);
    return { hasWaited: !isRefused, count };
  }

  /**
   * Reports the progress of a change on all nameservers, for at most a minute. The first report is sent at once if a
   * nameserver has the change, and further reports when others apply it. If very many changes are followed, no further
   * ones are reported.
   */
  follow(
    change: AwaitedChange,
    tenantId: string,
    tell: (servers: readonly NameserverStatus[]) => void,
  ): void {
    if (this.#isStopped || !this.#followed.tryEnter(tenantId)) return;
    const until = performance.now() + FOLLOWED_MS;
    this.#followers.add({ change, tenantId, tell, until, told: '' });
    this.#wake();
  }

  #unfollow(follower: Follower): void {
    if (this.#followers.delete(follower)) this.#followed.leave(follower.tenantId);
  }

  #join(
    change: AwaitedChange,
    ms: number,
    onAbandoned: (callback: () => void) => void,
  ): Promise<WaitOutcome> {
    return new Promise((resolve) => {
      const waiter: Waiter = {
        change,
        settle: (outcome) => {
          clearTimeout(timer);
          this.#waiters.delete(waiter);
          this.#options.onWaiters(this.#waiters.size);
          resolve(outcome);
        },
      };
      const timer = setTimeout(() => {
        waiter.settle('timed-out');
      }, ms);
      this.#waiters.add(waiter);
      this.#options.onWaiters(this.#waiters.size);
      onAbandoned(() => {
        waiter.settle('abandoned');
      });
      // The change may have been applied and reported before the wait began.
      this.#wake();
    });
  }

  get #isNeeded(): boolean {
    return this.#waiters.size > 0 || this.#followers.size > 0;
  }

  /** Called when something may have changed. */
  #wake(): void {
    if (!this.#isNeeded) return;
    this.#wakes++;
    if (!this.#isReading) this.#schedule(this.#readAt + this.#intervalMs);
  }

  #schedule(at: number): void {
    if (this.#isStopped || at >= this.#dueAt) return;
    clearTimeout(this.#timer);
    this.#dueAt = at;
    this.#timer = setTimeout(() => void this.#read(), Math.max(0, at - performance.now()));
  }

  async #read(): Promise<void> {
    this.#dueAt = Number.POSITIVE_INFINITY;
    this.#readAt = performance.now();
    this.#isReading = true;
    const wakes = this.#wakes;
    try {
      this.#latest = await this.statuses.read();
      this.#releaseSettled(this.#latest);
      this.#tellFollowers(this.#latest);
    } catch (error) {
      const level = isDatabaseUnavailable(error) ? 'debug' : 'error';
      this.#log[level]({ err: error }, 'the status of nameservers cannot be read');
    }
    this.#isReading = false;
    this.#intervalMs = intervalAfter(performance.now() - this.#readAt, PACE);
    if (!this.#isNeeded) return;
    const interval = this.#wakes === wakes ? this.#untilNextExpiry() : this.#intervalMs;
    this.#schedule(this.#readAt + interval);
  }

  /**
   * Answers requests whose change is settled. A change that no live nameserver can have applied costs one comparison,
   * since thousands may wait for a slow nameserver.
   */
  #releaseSettled(servers: readonly NameserverStatus[]): void {
    const live = servers.filter(isLive);
    const ends = live.map(({ report }) => report?.horizon?.xmax ?? 0n);
    const end = ends.reduce<bigint | undefined>(
      (least, each) => (least === undefined || each < least ? each : least),
      undefined,
    );
    for (const waiter of [...this.#waiters]) {
      if (end !== undefined && waiter.change.transaction >= end) continue;
      if (isSettled(live, waiter.change)) waiter.settle('published');
    }
  }

  #tellFollowers(servers: readonly NameserverStatus[]): void {
    const now = performance.now();
    const reached = servers.map(({ report }) => report?.horizon?.xmax ?? 0n);
    const end = reached.reduce((most, each) => (each > most ? each : most), 0n);
    for (const follower of this.#followers) {
      // A change that no nameserver can have applied costs one comparison.
      if (follower.change.transaction < end) this.#tellFollower(follower, servers);
      if (now >= follower.until) this.#unfollow(follower);
    }
  }

  #tellFollower(follower: Follower, servers: readonly NameserverStatus[]): void {
    const { isPublished, applied, live } = countServers(servers, follower.change);
    const state = `${applied}/${live}`;
    if (isPublished) this.#unfollow(follower);
    if (state === follower.told || (applied === 0 && follower.told === '')) return;
    follower.told = state;
    follower.tell(servers);
  }

  /**
   * Returns the time until a nameserver counts as silent. The wait for it then ends, even if no other nameserver
   * reports.
   */
  #untilNextExpiry(): number {
    const expiries = (this.#latest ?? [])
      .filter(isLive)
      .map(({ report }) => LIVE_MS - (report?.heartbeatMsAgo ?? 0) + 1);
    return Math.min(FALLBACK_INTERVAL_MS, ...expiries);
  }
}
