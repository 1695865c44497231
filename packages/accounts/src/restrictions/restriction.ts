import type { AccessRule } from '@zonewright/dns-records';

/** What an access key is restricted to, in its normal form, as it is stored and shown. */
export interface RestrictionContent {
  /** The one tenant that its tokens are for. */
  readonly tenantId: string;
  /** What it may do to the tenant's zones; undefined: whatever its user may. */
  readonly rules?: readonly AccessRule[] | undefined;
  /** From where it may be used, in CIDR form; none: from anywhere. */
  readonly networks: readonly string[];
  /** Whether it may remove more of a zone's records at a time than must be confirmed. */
  readonly massDelete: boolean;
}

export const MAX_NETWORKS = 32;
/** Of the normal form, as JSON. */
export const MAX_RESTRICTION_OCTETS = 16_384;
