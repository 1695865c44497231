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
  type AwaitedChange,
  countServers,
  isLive,
  isSettled,
  LIVE_MS,
  type NameserverStatus,
  type PublicationCount,
} from './nameserver-status.js';
import { StatusReader } from './status-store.js';

interface WatchOptions {
  /** For connections of its own: those of requests may all be taken. */
  readonly databaseUrl: string;
  /** Name of those connections, extended by a suffix. */
  readonly applicationName: string;
  readonly log: Logger;
  /** Called with the number of those who wait, whenever it changes. */
  readonly onWaiters: (waiters: number) => void;
  /** Called with how long one has waited, and what ended it. */
  readonly onWaited: (outcome: WaitOutcome, seconds: number) => void;
}

interface Waiter {
  readonly change: AwaitedChange;
  readonly settle: (outcome: WaitOutcome) => void;
}

/** Told how far a change has come, whenever that is another number of nameservers, until it is published. */
interface Follower {
  readonly change: AwaitedChange;
  readonly tenantId: string;
  readonly tell: (servers: readonly NameserverStatus[]) => void;
  /** Time by performance.now() at which following ends, since a nameserver may hang. */
  readonly until: number;
  /** Status that was reported last. */
  told: string;
}

type WaitOutcome = 'published' | 'timed-out' | 'abandoned' | 'stopped' | 'refused';

interface WaitResult {
  /** False: too many wait, of this tenant or of all, or the service is about to stop. */
  readonly hasWaited: boolean;
  /** Undefined: nothing is known about the nameservers. */
  readonly count: PublicationCount | undefined;
}

/** However many nameservers tell of themselves, and however often: a third of the time may go into reading. */
const PACE: Pace = { share: 3, leastMs: 10, mostMs: 20 };
/** Without notifications; they come far more often. */
const FALLBACK_INTERVAL_MS = 1_000;
/** Maximum number of waiting requests, some 10 MB. Further requests are answered at once. */
const MAX_WAITERS = 10_000;
/** Each is looked at in each reading. */
const MAX_FOLLOWED = 2_000;
const FOLLOWED_MS = 60_000;

/**
 * Lets requests wait until the nameservers answer with a change. Nameservers notify when they have written their status. One read
 * then follows for all waiting requests, at most one each 10 to 20 ms. Without notifications it follows a second after the last
 * one. Waiting requests hold no connection of the database.
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
  /** When the timer is due, and the last reading began, by performance.now(). */
  #dueAt = Number.POSITIVE_INFINITY;
  #readAt = Number.NEGATIVE_INFINITY;
  #intervalMs = PACE.leastMs;
  #isReading = false;
  /** How often something may have changed. */
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
          'no notifications of nameservers: their status is read each second',
        );
      },
    });
  }

  start(): void {
    this.#listener.start();
  }

  /** Answers waiting requests at once, and later ones, too. */
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
   * Resolves when every live nameserver answers with the change, after `ms`, or when `onAbandoned` calls back; never
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
   * Reports how far a change has come on all nameservers, for a minute at most. The first report comes at once if a nameserver
   * has the change, and further reports as others apply it. If very many changes are followed, further ones are not reported.
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
      // It may have been applied, and told, before anybody waited.
      this.#wake();
    });
  }

  get #isNeeded(): boolean {
    return this.#waiters.size > 0 || this.#followers.size > 0;
  }

  /** Something may have changed. */
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
   * Answers requests whose change is settled. A change that no live nameserver can have reached costs one comparison: thousands
   * may wait for a slow nameserver.
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
      // A change that no nameserver can have reached costs one comparison.
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

  /** A nameserver that falls silent ends the waiting for it, whether or not others have anything to tell. */
  #untilNextExpiry(): number {
    const expiries = (this.#latest ?? [])
      .filter(isLive)
      .map(({ report }) => LIVE_MS - (report?.heartbeatMsAgo ?? 0) + 1);
    return Math.min(FALLBACK_INTERVAL_MS, ...expiries);
  }
}
