import type { LockedZone } from '../../rows/zone.js';
import type { MxTargetCheck } from '../../request/rules.js';
import type { FutureNames } from './future-names.js';

/** Source of a child zone's records: this service, or its primaries. */
export type ChildZone = 'hosted' | 'secondary';

/** Order of new DNAME records and the names below them. It is empty if the changes begin to serve no DNAME record. */
export interface DnameFacts {
  /** First name below each owner of a new DNAME record. */
  readonly occluded: ReadonlyMap<string, { readonly name: string; readonly position: number }>;
  /** Position among the changes of each record that they begin to serve, by its id. */
  readonly positions: ReadonlyMap<string, number>;
}

/** Facts that rules compare a change with. */
export interface RuleFacts {
  readonly zone: LockedZone;
  /** Served records of this zone at the names that rules ask for, after all changes. Of names above these only the DNAME records count. */
  readonly future: FutureNames;
  /** Zones of this service below the zone, or at least those of possibleChildZones. */
  readonly childZones: ReadonlyMap<string, ChildZone>;
  readonly dnames: DnameFacts;
  readonly mxTargetCheck: MxTargetCheck;
  /** Served records of the zone that a mail target is in; no entry if this service does not have that zone. */
  readonly mailHosts: ReadonlyMap<string, FutureNames>;
}
