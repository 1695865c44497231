import { isWithin, parseHorizon } from '@zonewright/database';

/** Position of a reader of events: a horizon of the feed, stored by the client. */
export type EventPosition = string;

const FORM = /^\d{1,19}:\d{1,19}:(?:\d{1,19}(?:,\d{1,19}){0,63})?$/;
/** Maximum number of open transactions in a position. With more of them, the position is before the slowest. */
const MAX_UNDER_WAY = 64;
/** Upper limit of a transaction id in PostgreSQL. */
const MAX_TRANSACTION = 2n ** 63n;

/** Whether a text is one that a reader can have been given. */
export function isEventPosition(text: string): boolean {
  if (!FORM.test(text)) return false;
  const { xmin, xmax, underWay } = parseHorizon(text);
  if (xmin === 0n || xmin > xmax || xmax >= MAX_TRANSACTION) return false;
  let last = xmin - 1n;
  for (const transaction of underWay) {
    if (transaction <= last || transaction >= xmax) return false;
    last = transaction;
  }
  return true;
}

/** The position after what a snapshot shows. If it would be long, some changes behind it come once more. */
export function positionAt(snapshot: string): EventPosition {
  const { xmin, underWay } = parseHorizon(snapshot);
  return underWay.size <= MAX_UNDER_WAY ? snapshot : `${xmin}:${xmin}:`;
}

/** Whether who has had all up to a position has had what this transaction did; an xid8 as decimal text. */
export function isVisibleAt(position: EventPosition, transaction: string): boolean {
  return isWithin(parseHorizon(position), BigInt(transaction));
}
