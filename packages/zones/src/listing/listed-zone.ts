import type { SigningState } from '../rows/signing-state.js';
import type { Zone, ZoneAttributes } from '../rows/zone.js';
import type { Timestamp } from '../sql/timestamps.js';

/** What v2 shows of a secondary zone. */
export interface ListedSecondary {
  readonly primaries: readonly { readonly address: string; readonly port: number }[];
  /** Of the primary's SOA; null: nothing has come yet. */
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
