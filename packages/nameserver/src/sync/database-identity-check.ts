import type { FeedDatabase, FeedHead } from '@zonewright/database';
import type { Clock } from '@zonewright/service-kit';

/** The database whose zones are answered, as a snapshot keeps it. */
export interface FollowedDatabase {
  readonly id: string;
  /** The last word of the operator that was followed; null: none. */
  readonly acceptance: string | null;
}

/** A reading came from a database that is not believed. */
export class IdentityMismatchError extends Error {}

/** Number of zones that may always go: a small installation may delete all of its zones. */
const HARMLESS_LOSS = 10;
/** Losses within it are one. */
const WINDOW_MS = 3_600_000;
const SAMPLE_INTERVAL_MS = 60_000;

/**
 * Checks the identity of the database (ADR 0020). Another database than the one whose zones are answered is not followed, nor
 * the loss of more than half of the zones, until the operator accepts it.
 */
export class DatabaseIdentityCheck {
  readonly #clock: Clock;
  #known: FollowedDatabase | undefined;
  #otherDatabase: string | undefined;
  #loss: string | undefined;
  /** How many zones there were, within the window. */
  #counts: { readonly at: number; readonly zones: number }[] = [];

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get known(): FollowedDatabase | undefined {
    return this.#known;
  }

  /** Reason why the database is not followed; undefined if it is. */
  get doubt(): string | undefined {
    return this.#otherDatabase ?? this.#loss;
  }

  /** Whether positions belong to another database than the one that is read. */
  get isElsewhere(): boolean {
    return this.#otherDatabase !== undefined;
  }

  /** Goes on where a snapshot was written; before 0011 none said of which database it is. */
  resume(known: FollowedDatabase | undefined): void {
    this.#known = known;
  }

  /**
   * Throws a IdentityMismatchError if nothing of the database may be applied. A nameserver that holds no zone has nothing to
   * protect, and follows any database (ADR 0020).
   */
  examine({ database }: Pick<FeedHead, 'database'>, holdsZones: () => boolean): void {
    const found = this.isOther(database) ? this.#describeOther(database) : undefined;
    // While the same other database is found nothing is applied, so that the zones need not be listed again.
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
      ? `what PostgreSQL has is another database than ${id}, and has no identity`
      : `${database.id} is another database than ${id}`;
  }

  /** Then positions of the one say nothing about the other. */
  isOther(database: FeedDatabase | undefined): boolean {
    return this.#known !== undefined && this.#known.id !== database?.id;
  }

  /** Whether `leaving` of the zones may be taken away. */
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
    this.#loss = `${leaving} of ${zones} zones would go`;
    if (lost > leaving) this.#loss += `, after ${lost - leaving} within an hour`;
    return false;
  }

  /** A reading has been taken over. */
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

  /** The operator has spoken since the last reading that was taken over. */
  #isNewWord(database: FeedDatabase | undefined): boolean {
    const acceptance = database?.acceptance?.id;
    return acceptance !== undefined && acceptance !== this.#known?.acceptance;
  }
}
