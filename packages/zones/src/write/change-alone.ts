import { RCODE, UpdateFault } from '@zonewright/dns-records';
import { isUuid } from '@zonewright/service-kit';
import {
  type JudgedChanges,
  NO_CHANGES,
  type RecordChange,
  type Violation,
} from '../checks/record-change.js';
import { requireMatch } from '../request/rules.js';
import type { UnitOfWork } from '../request/unit-of-work.js';
import { lockZoneForRecords, zoneNotFound } from '../rows/get-zone.js';
import type { ZoneRecord } from '../rows/record.js';
import type { RecordsetKey } from '../rows/recordset.js';
import { type LockedZone, type Zone, type ZoneContent, zoneEtag } from '../rows/zone.js';
import { checkChanges, type Confirmation } from './check-changes.js';
import { writeChanges } from './commit/write-changes.js';
import type { ZoneReader } from './neighbour-store.js';
import { readReadSets } from './update-ground-store.js';
import { ZoneSnapshot } from './zone-ground.js';
import type { ZoneView } from './zone-view.js';

/** State of a zone that a change is planned on. */
export interface PlanState {
  readonly zone: LockedZone;
  readonly work: UnitOfWork;
  /** Returns a record of the change's `recordIds`, switched off or not. */
  readonly find: (id: string) => ZoneRecord | undefined;
  /** Recordset of the change's `recordsetId`; undefined if there is none. */
  readonly recordset: RecordsetKey | undefined;
  /** Returns the served records at the names of the change. */
  readonly view: () => ZoneView;
}

/** Changes that are made at once, and how they are checked. */
export interface Plan {
  readonly changes: readonly RecordChange[];
  /** Members of the zone that change. */
  readonly content?: Partial<ZoneContent> | undefined;
  /** Undefined: the request names each record that it removes. */
  readonly confirmation?: Confirmation;
  /** Says where in the request a violation is; undefined: its path does. */
  readonly placeViolation?: ((violation: Violation) => Violation) | undefined;
  /** Checks the changes in place of checkChanges. @throws ServiceError */
  readonly check?: (reader: ZoneReader | undefined) => Promise<JudgedChanges>;
}

/** A change of one zone. It is planned again for each attempt, and may be planned together with others. */
export interface ZoneChange {
  /** Tag of the zone that the client saw. */
  readonly ifMatch?: string | undefined;
  /** All names that the plan looks at, except those of the ids. A plan that reads by itself has none. */
  readonly names: readonly string[];
  /** In lower case. */
  readonly recordIds?: readonly string[];
  readonly recordsetId?: string | undefined;
  /** @throws UpdateFault, ServiceError */
  readonly plan: (state: PlanState) => Plan | Promise<Plan>;
}

/** Plans a change on what was read of its zone. @throws UpdateFault, ServiceError */
export async function planChange(
  work: UnitOfWork,
  zone: LockedZone,
  snapshot: ZoneSnapshot,
  { ifMatch, names, recordIds = [], recordsetId, plan }: ZoneChange,
): Promise<Plan> {
  requireMatch(ifMatch, zoneEtag(zone));
  const find = (id: string) => snapshot.find(id);
  const recordset = snapshot.findRecordset(recordsetId);
  const view = () => {
    const targets = [...recordIds.map(find), recordset];
    return snapshot.view(zone, [...names, ...targets.flatMap((target) => target?.name ?? [])]);
  };
  return await plan({ zone, work, find, recordset, view });
}

interface Changed {
  readonly before: Zone;
  readonly after: Zone;
  readonly changes: JudgedChanges;
  /** Response code of an update. */
  readonly rcode: number;
}

/**
 * Does a change in a transaction that holds its zone: whatever the change needs can be read, and however much it writes.
 *
 * @throws ServiceError
 */
export async function changeAlone(
  work: UnitOfWork,
  zoneId: string,
  change: ZoneChange,
): Promise<Changed> {
  const { id, tenantId } = await lockZoneForRecords(work, zoneId);
  const { names, recordIds = [], recordsetId = '' } = change;
  const ids = {
    recordIds: recordIds.filter(isUuid),
    recordsetIds: isUuid(recordsetId) ? [recordsetId] : [],
  };
  const wanted = { zoneId: id, tenantId, names, ...ids, payerId: tenantId, keys: [] };
  const [ground] = await readReadSets(work.trx, [wanted], true);
  if (ground === undefined || ground === 'much') throw zoneNotFound();
  const { zone } = ground;
  const snapshot = new ZoneSnapshot(ground);
  try {
    const plan = await planChange(work, zone, snapshot, change);
    const reader = plan.changes.every((each) => snapshot.covers(each)) ? snapshot : undefined;
    const changes = await judgePlan(work, zone, plan, reader);
    const after = await writeChanges(work, zone, changes, plan.content);
    return { before: zone, after, changes, rcode: RCODE.NOERROR };
  } catch (error) {
    if (!(error instanceof UpdateFault)) throw error;
    return { before: zone, after: zone, changes: NO_CHANGES, rcode: error.rcode };
  }
}

/** @param reader undefined: the rules ask for more than was read for the plan */
export async function judgePlan(
  work: UnitOfWork,
  zone: LockedZone,
  plan: Plan,
  reader: ZoneReader | undefined,
): Promise<JudgedChanges> {
  if (plan.check !== undefined) return await plan.check(reader);
  return await checkChanges(work, zone, plan.changes, { ...plan, reader });
}
