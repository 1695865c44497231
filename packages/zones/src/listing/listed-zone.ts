import type { Zone } from '../rows/zone.js';

/** A zone with the transaction that changed it or its records last, by which its publication is known. */
export interface ListedZone extends Zone {
  readonly transaction: bigint;
}
