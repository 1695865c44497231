import type { SecondaryState } from '@zonewright/database';
import type { MxTargetCheck } from '../request/rules.js';
import type { Timestamp } from './statements.js';
import type { SigningState } from './signing-state.js';

/** Zone, which the API calls a domain (DNS API s2). */
export interface Zone {
  readonly id: string;
  readonly tenantId: string;
  /** Canonical name: lower case, A-labels, trailing dot. */
  readonly name: string;
  /** Name as users and clients see it, in the letter case of its creation. */
  readonly displayName: string;
  readonly email: string;
  /** TTL in seconds of records without a TTL. */
  readonly ttl: number;
  readonly description: string | null;
  readonly serial: number;
  readonly recordCount: number;
  /** Number of changes of the zone's own members. The serial also counts changes of its records. */
  readonly version: number;
  readonly createdAt: Timestamp;
  readonly updatedAt: Timestamp | null;
}

/** Properties of a zone that users set. */
export type ZoneContent = Pick<Zone, 'name' | 'displayName' | 'email' | 'ttl' | 'description'>;

/** Zone whose row is locked by this transaction, so that nobody else changes the zone or its records. */
export interface LockedZone extends Zone {
  /** Time at which the zone was locked. All changes of this transaction have this time. */
  readonly now: Timestamp;
  /** Maximum number of records in a zone of the tenant. Null means the service's setting. */
  readonly maxRecords: number | null;
  /** Maximum number of recordsets in a zone of the tenant. Null means that only records are counted. */
  readonly maxRecordsets: number | null;
  /** Maximum number of records with one name and type. Null means the service's setting. */
  readonly maxRrsetRecords: number | null;
  /** Check of MX targets for the tenant. Null means the service's setting. */
  readonly mxTargetCheck: MxTargetCheck | null;
  readonly disabledCount: number;
  /** State when the transaction began to wait for the zone. Null if it is not signed. */
  readonly signingState: SigningState | null;
  /**
   * State of a secondary zone, whose records come from primaries (ADR 0040). Undefined if this service is the primary.
   */
  readonly secondary: SecondaryState | undefined;
}

/** Zone to change, and the version that the client saw. */
export interface ZoneTarget {
  readonly id: string;
  readonly ifMatch: string | undefined;
}

/** Returns the ETag. Each change of a zone or its records has its own serial, which the representation contains. */
export function zoneEtag(zone: Zone): string {
  return `"${zone.serial}"`;
}

/** Attributes that Designate clients set on a zone. */
export type ZoneAttributes = Readonly<Record<string, string>>;

/** Change whose publication is awaited. */
export interface AwaitedChange {
  readonly transaction: bigint;
  /** Changed zone with its new serial. Undefined if the zone has changed again. */
  readonly zone: { readonly name: string; readonly serial: number } | undefined;
}
