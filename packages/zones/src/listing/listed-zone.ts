import type { SigningState } from '../rows/signing-state.js';
import type { Zone, ZoneAttributes } from '../rows/zone.js';
import type { Timestamp } from '../sql/timestamps.js';

/** Properties of a secondary zone in v2. */
export interface ListedSecondary {
  readonly primaries: readonly { readonly address: string; readonly port: number }[];
  /** Serial of the primary's SOA. Null before the first transfer. */
  readonly serial: number | null;
  readonly transferredAt: Timestamp | null;
}

/** A zone with what v2 shows beside it, and the transaction that changed it or its records last, by which its publication is known. */
export interface ListedZone extends Zone {
  readonly attributes: ZoneAttributes;
  /** Undefined: it is not signed. */
  readonly signing?: SigningState | undefined;
  /** Undefined: its records are kept here. */
  readonly secondary?: ListedSecondary | undefined;
  readonly transaction: bigint;
}
