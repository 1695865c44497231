import type { ZoneRecord } from '../rows/record.js';
import type { LockedZone } from '../rows/zone.js';
import type { UnitOfWork } from '../transactions/unit-of-work.js';
import type { RecordChange } from './changes/record-change.js';
import type { Violation } from './checks/violation.js';
import type { ZoneView } from './read/zone-view.js';

/** State of a zone that a change is planned on. */
export interface PlanState {
  readonly zone: LockedZone;
  readonly work: UnitOfWork;
  /** Record of the change's `recordId`; undefined if there is none. */
  readonly record: ZoneRecord | undefined;
  /** Reads the served records at the names of the change. */
  readonly readView: () => ZoneView | Promise<ZoneView>;
}

/** A change of records of one zone. It is planned again for each attempt, and may be planned together with others. */
export interface ZoneChange {
  /** All names that the plan reads or changes, except that of `recordId`. */
  readonly names: readonly string[];
  readonly recordId?: string | undefined;
  /** @throws UpdateFault, ServiceError */
  readonly plan: (state: PlanState) => readonly RecordChange[] | Promise<readonly RecordChange[]>;
  /** Says where in the request a violation is; undefined: its path does. */
  readonly placeViolation?: ((violation: Violation) => Violation) | undefined;
}
