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

/**
 * A zone with further members of v2, and the last transaction that changed the zone or its records, from which its publication
 * follows.
 */
export interface ListedZone extends Zone {
  readonly attributes: ZoneAttributes;
  /** Undefined: it is not signed. */
  readonly signing?: SigningState | undefined;
  /** Undefined: this service is the primary. */
  readonly secondary?: ListedSecondary | undefined;
  readonly transaction: bigint;
}
