import type { SecondaryState } from '@zonewright/database';
import type { TsigAlgorithm } from '@zonewright/dns-records';
import type { Timestamp } from '../rows/statements.js';

/** A server elsewhere that has a zone. */
export interface Primary {
  readonly address: string;
  readonly port: number;
}

/** A key that a tenant's own server knows, but for its secret. */
export interface PrimaryKey {
  /** Absolute, in lower case. */
  readonly name: string;
  readonly algorithm: TsigAlgorithm;
}

/** A zone whose records come from elsewhere, and how that goes (ADR 0040). */
export interface Secondary {
  readonly zoneId: string;
  /** In the order in which they are asked. */
  readonly primaries: readonly Primary[];
  readonly key: PrimaryKey | null;
  /** Serial in the primary's SOA; null before the first transfer. */
  readonly serial: number | null;
  readonly state: SecondaryState;
  readonly transferredAt: Timestamp | null;
  /** When a primary last said that this is its latest version. */
  readonly refreshedAt: Timestamp | null;
  readonly nextAt: Timestamp;
  /** Since the last success, and what was wrong the last time. */
  readonly failures: number;
  readonly problem: string | null;
  /** A code, which a later version of this program may have written. */
  readonly reason: string | null;
}

/** Stored numbers of an SOA: the serial, and times in seconds (RFC 1035 s3.3.13). */
export interface SoaNumbers {
  readonly serial: number;
  readonly refresh: number;
  readonly retry: number;
  readonly expire: number;
}
