import type { AccessRule } from '@zonewright/dns-records';

/** An access key that may do less than its user (ADR 0027). */
export interface RestrictedKey {
  readonly id: string;
  /** Undefined: all rights of the user in the tenant. */
  readonly rules: readonly AccessRule[] | undefined;
  /** Networks from which it may be used; empty: all. */
  readonly networks: readonly string[];
  /** Whether it may remove more of a zone's records at a time than must be confirmed. */
  readonly massDelete: boolean;
}
