import type { FeedDatabase, FeedHead } from '@zonewright/database';
import type { Clock } from '@zonewright/service-kit';

/** Database whose zones are served, as stored in a snapshot. */
export interface FollowedDatabase {
  readonly id: string;
  /** Last confirmation of the operator that was applied. Null if there was none. */
  readonly acceptance: string | null;
}

/** Error: a reading came from a database that is not trusted. */
export class IdentityMismatchError extends Error {}

/** Number of zones that may always be removed. A small installation may delete all of its zones. */
const HARMLESS_LOSS = 10;
/** Time within which losses are added up, in milliseconds. */
const WINDOW_MS = 3_600_000;
const SAMPLE_INTERVAL_MS = 60_000;

/**
 * Checks the identity of the database (ADR 0020). A different database, or the loss of more than half of the zones, is
 * not followed until the operator accepts it.
 */
export class DatabaseIdentityCheck {
  readonly #clock: Clock;
  #known: FollowedDatabase | undefined;
  #otherDatabase: string | undefined;
  #loss: string | undefined;
  /** The numbers of zones in recent readings, within the window. */
  #counts: { readonly at: number; readonly zones: number }[] = [];

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get known(): FollowedDatabase | undefined {
    return this.#known;
  }

  /** Reason why the database is not followed. Undefined if it is. */
  get doubt(): string | undefined {
    return this.#otherDatabase ?? this.#loss;
  }

  /** Whether positions belong to a different database than the one that is read. */
  get isElsewhere(): boolean {
    return this.#otherDatabase !== undefined;
  }

  /** Continues from a snapshot. Before migration 0011, snapshots did not contain the id of the database. */
  resume(known: FollowedDatabase | undefined): void {
    this.#known = known;
  }

  /**
   * Throws an IdentityMismatchError if no data of the database may be applied. A nameserver without zones has nothing
   * to protect, and follows any database (ADR 0020).
   */
  examine({ database }: Pick<FeedHead, 'database'>, holdsZones: () => boolean): void {
    const found = this.isOther(database) ? this.#describeOther(database) : undefined;
    // While the same different database is found nothing is applied, so the zones need not be counted again.
    const isProtected =
      found !== undefined &&
      !this.#isAccepted(database) &&
      (found === this.#otherDatabase || holdsZones());
    this.#otherDatabase = isProtected ? found : undefined;
    if (isProtected) throw new IdentityMismatchError(found);
  }

  #describeOther(database: FeedDatabase | undefined): string {
    const { id = '' } = this.#known ?? {};
    return database === undefined
      ? `the database has no identity, but must be ${id}`
      : `the database is ${database.id}, not ${id}`;
  }

  /** Whether the database is a different one. Positions of one database have no meaning in the other. */
  isOther(database: FeedDatabase | undefined): boolean {
    return this.#known !== undefined && this.#known.id !== database?.id;
  }

  /** Whether as many as `leaving` of the zones may be removed. */
  allowsLoss(leaving: number, zones: number, database: FeedDatabase | undefined): boolean {
    this.#loss = undefined;
    if (leaving === 0) return true;
    const most = Math.max(zones, ...this.#recentCounts());
    const lost = most - zones + leaving;
    if (lost <= HARMLESS_LOSS || lost * 2 <= most) return true;
    if (this.#isNewWord(database)) {
      this.#counts = [];
      return true;
    }
    this.#loss = `${leaving} of ${zones} zones would be removed`;
    if (lost > leaving) this.#loss += `, after ${lost - leaving} within an hour`;
    return false;
  }

  /** Called when a reading has been applied. */
  settle(database: FeedDatabase | undefined, zones: number): void {
    const now = this.#clock.now();
    const last = this.#counts.at(-1)?.at ?? Number.NEGATIVE_INFINITY;
    if (last > now) this.#counts = [];
    if (last > now || now - last >= SAMPLE_INTERVAL_MS) this.#counts.push({ at: now, zones });
    if (database === undefined) return;
    this.#known = { id: database.id, acceptance: database.acceptance?.id ?? null };
  }

  #recentCounts(): number[] {
    const since = this.#clock.now() - WINDOW_MS;
    this.#counts = this.#counts.filter(({ at }) => at > since);
    return this.#counts.map(({ zones }) => zones);
  }

  #isAccepted(database: FeedDatabase | undefined): boolean {
    const { id } = this.#known ?? {};
    return id !== undefined && database?.acceptance?.insteadOf.includes(id) === true;
  }

  /** Whether the operator has confirmed the database since the last applied reading. */
  #isNewWord(database: FeedDatabase | undefined): boolean {
    const acceptance = database?.acceptance?.id;
    return acceptance !== undefined && acceptance !== this.#known?.acceptance;
  }
}
