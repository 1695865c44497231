import type { Zone, ZoneAttributes } from '../rows/zone.js';

/** A zone with what v2 shows beside it, and the transaction that changed it or its records last, by which its publication is known. */
export interface ListedZone extends Zone {
  readonly attributes: ZoneAttributes;
  readonly transaction: bigint;
}
