/**
 * A place in the change feed: every transaction with an id below it was visible when it was taken, so all that
 * may still be missing is what was changed in that transaction or a later one. An xid8 as decimal text.
 *
 * Writers stamp what they change with pg_current_xact_id(), which is handed out before they commit, so a
 * later id may well commit first. That is why a reader keeps the *xmin* of its snapshot, the oldest id still
 * running, and not the highest id that it saw: it reads some changes twice and never misses one.
 */
export type FeedPosition = string;

/** Before the first change: reading from here gives every zone. */
export const FEED_START: FeedPosition = '0';

/** Whether all of `position` lies at or behind `other`. */
export function isAtOrBefore(position: FeedPosition, other: FeedPosition): boolean {
  return BigInt(position) <= BigInt(other);
}
