import type { SecondaryState } from '@zonewright/database';
import type { TsigAlgorithm } from '@zonewright/dns-records';
import type { Timestamp } from '../rows/statements.js';

/** External server that has a zone. */
export interface Primary {
  readonly address: string;
  readonly port: number;
}

/** Key of a tenant's server, except for its secret. */
export interface PrimaryKey {
  /** Absolute name in lower case. */
  readonly name: string;
  readonly algorithm: TsigAlgorithm;
}

/** Zone whose records are transferred from elsewhere, and the state of the transfers (ADR 0040). */
export interface Secondary {
  readonly zoneId: string;
  /** Primaries in the order in which they are queried. */
  readonly primaries: readonly Primary[];
  readonly key: PrimaryKey | null;
  /** Serial in the primary's SOA. Null before the first transfer. */
  readonly serial: number | null;
  readonly state: SecondaryState;
  readonly transferredAt: Timestamp | null;
  /** Time at which a primary last confirmed this version. */
  readonly refreshedAt: Timestamp | null;
  readonly nextAt: Timestamp;
  /** Number of failures since the last success, and the last problem. */
  readonly failures: number;
  readonly problem: string | null;
  /** Code that a later version of this program may have written. */
  readonly reason: string | null;
}

/** Stored numbers of an SOA: the serial, and times in seconds (RFC 1035 s3.3.13). */
export interface SoaNumbers {
  readonly serial: number;
  readonly refresh: number;
  readonly retry: number;
  readonly expire: number;
}
