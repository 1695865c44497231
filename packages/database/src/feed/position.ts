/**
 * A position in the change feed. Every transaction with an id below it was visible when it was read. Only changes of
 * that transaction or a later one may still be missing. An xid8 as decimal text.
 *
 * Writers stamp their changes with pg_current_xact_id(), which PostgreSQL assigns before they commit. A later id may
 * therefore commit first. A reader keeps the *xmin* of its snapshot, the oldest id still running, and not the highest
 * id that it saw. It then reads some changes twice and never misses one.
 */
export type FeedPosition = string;

/** Before the first change: reading from here gives every zone. */
export const FEED_START: FeedPosition = '0';

/** Whether all of `position` lies at or behind `other`. */
export function isAtOrBefore(position: FeedPosition, other: FeedPosition): boolean {
  return BigInt(position) <= BigInt(other);
}
