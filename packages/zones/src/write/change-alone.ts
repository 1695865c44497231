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

/** The state of a zone on which a change is planned. */
export interface PlanState {
  readonly zone: LockedZone;
  readonly work: UnitOfWork;
  /** Returns a record of the change's `recordIds`, even if it is disabled. */
  readonly find: (id: string) => ZoneRecord | undefined;
  /** The recordset of the change's `recordsetId`, or undefined if it does not exist. */
  readonly recordset: RecordsetKey | undefined;
  /** Returns the served records at the names of the change. */
  readonly view: () => ZoneView;
}

/** Changes that are made in one step, and how they are checked. */
export interface Plan {
  readonly changes: readonly RecordChange[];
  /** The zone's properties that change. */
  readonly content?: Partial<ZoneContent> | undefined;
  /** Undefined if the request names each record that it removes. */
  readonly confirmation?: Confirmation;
  /** Adds the position in the request to a violation. If undefined, the violation's path already gives it. */
  readonly placeViolation?: ((violation: Violation) => Violation) | undefined;
  /** Checks the changes instead of checkChanges. @throws ServiceError */
  readonly check?: (reader: ZoneReader | undefined) => Promise<JudgedChanges>;
}

/** A change of one zone. It is planned again for each attempt, and can be planned together with others. */
export interface ZoneChange {
  /** The zone's ETag that the client saw. */
  readonly ifMatch?: string | undefined;
  /**
   * All names whose records the plan needs, except the names of the records in `recordIds`. A plan that reads its
   * data itself lists none.
   */
  readonly names: readonly string[];
  /** The ids are in lower case. */
  readonly recordIds?: readonly string[];
  readonly recordsetId?: string | undefined;
  /** @throws UpdateFault, ServiceError */
  readonly plan: (state: PlanState) => Plan | Promise<Plan>;
}

/** Plans a change from the data that was read of its zone. @throws UpdateFault, ServiceError */
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
  /** The response code of a DNS UPDATE message. */
  readonly rcode: number;
}

/**
 * Applies a change in a transaction that has locked the zone, so that it can read everything the change needs and write
 * any amount.
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

/** @param reader undefined if the rules need more data than was read for the plan */
export async function judgePlan(
  work: UnitOfWork,
  zone: LockedZone,
  plan: Plan,
  reader: ZoneReader | undefined,
): Promise<JudgedChanges> {
  if (plan.check !== undefined) return await plan.check(reader);
  return await checkChanges(work, zone, plan.changes, { ...plan, reader });
}
