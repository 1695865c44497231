import type { SecondaryState } from '@zonewright/database';
import type { MxTargetCheck } from '../request/rules.js';
import type { Timestamp } from './statements.js';
import type { SigningState } from './signing-state.js';

/** A zone: what the API calls a domain (DNS API s2). */
export interface Zone {
  readonly id: string;
  readonly tenantId: string;
  /** Canonical: lower case, A-labels, trailing dot. */
  readonly name: string;
  readonly email: string;
  /** Seconds, for records without a TTL of their own. */
  readonly ttl: number;
  readonly description: string | null;
  readonly serial: number;
  readonly recordCount: number;
  /** Counts changes of the zone's own members; the serial counts those of its records too. */
  readonly version: number;
  readonly createdAt: Timestamp;
  readonly updatedAt: Timestamp | null;
}

/** Properties of a zone that users set. */
export type ZoneContent = Pick<Zone, 'name' | 'email' | 'ttl' | 'description'>;

/** A zone whose row this transaction holds, so that nobody else changes it or its records. */
export interface LockedZone extends Zone {
  /** When the zone was got: the time of all that this transaction does to it. */
  readonly now: Timestamp;
  /** How many records the tenant may have in a zone; null: what the service's settings say. */
  readonly maxRecords: number | null;
  /** Records of one name and type, the same way; null: the same. */
  readonly maxRrsetRecords: number | null;
  /** The rule about MX targets that holds for the tenant; null: the same. */
  readonly mxTargetCheck: MxTargetCheck | null;
  /** How many of its records are switched off. */
  readonly disabledCount: number;
  /** State when the transaction began to wait for the zone; null if it is not signed. */
  readonly signingState: SigningState | null;
  /** Its records come from its primaries (ADR 0040); undefined: they are kept here. */
  readonly secondary: SecondaryState | undefined;
}

/** Zone to change, and the version that the client saw. */
export interface ZoneTarget {
  readonly id: string;
  readonly ifMatch: string | undefined;
}

/** Each change of a zone or of its records has a serial of its own, which its representation shows. */
export function zoneEtag(zone: Zone): string {
  return `"${zone.serial}"`;
}

/** Attributes that Designate clients set on a zone. */
export type ZoneAttributes = Readonly<Record<string, string>>;
