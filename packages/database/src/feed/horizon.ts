import { FEED_START, type FeedPosition } from './position.js';

/**
 * Transactions that a reader of the feed has seen, in PostgreSQL's form of a pg_snapshot: `xmin:xmax:xip,xip`. Ids
 * below xmin are seen, and those from xmax on are not. The ones between are seen unless they are listed.
 */
export type FeedHorizon = string;

/** A horizon that was taken apart, to be asked many times. */
export interface Horizon {
  readonly xmin: bigint;
  readonly xmax: bigint;
  readonly underWay: ReadonlySet<bigint>;
}

/** Horizon of a reader that reports only its position. Undefined if it has read nothing. */
export function horizonAt(position: FeedPosition): FeedHorizon | undefined {
  return position === FEED_START ? undefined : `${position}:${position}:`;
}

export function parseHorizon(text: FeedHorizon): Horizon {
  const [xmin = '', xmax = '', list = ''] = text.split(':');
  const underWay = list === '' ? [] : list.split(',').map(BigInt);
  return { xmin: BigInt(xmin), xmax: BigInt(xmax), underWay: new Set(underWay) };
}

/** Whether a transaction that has been committed had been so when the reading began. */
export function isWithin({ xmin, xmax, underWay }: Horizon, transaction: bigint): boolean {
  if (transaction < xmin) return true;
  return transaction < xmax && !underWay.has(transaction);
}
