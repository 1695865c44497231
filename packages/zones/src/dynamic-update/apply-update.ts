import {
  isAtOrBelow,
  nameOfRecord,
  type Message,
  readUpdateStep,
  UpdateFault,
  RCODE,
} from '@zonewright/dns-records';
import { forEachInSlices, mapInSlices, ServiceError } from '@zonewright/service-kit';
import { requireMayChange, requireMayConfirm } from '../access/key-rules.js';
import { creation, modification, type RecordChange } from '../changes/record-change.js';
import { writeChanges } from '../changes/write-changes.js';
import { checkConfirmation } from '../records/record-guard.js';
import { findBreaches, refuseBreaches, requireRecordQuota } from '../records/record-rules.js';
import { isSameContent } from '../rows/record.js';
import type { LockedZone, Zone } from '../rows/zone.js';
import type { UnitOfWork } from '../transactions/unit-of-work.js';
import { checkPrerequisites } from './check-prerequisites.js';
import { takeStep } from './take-steps.js';
import { ZoneView } from './zone-view.js';

/** What one transaction and one message carry with ease. */
const MAX_STEPS = 1_000;

type Update = Pick<Message, 'answers' | 'authorities'>;

/** The answer to an update, and the zone as it is then. */
interface UpdateOutcome {
  readonly rcode: number;
  readonly zone: Zone;
}

/**
 * Does a dynamic update (RFC 2136 s3), all of it or nothing: prerequisites first, then a look at all updates, then these in their
 * order. Our own rules are applied to what they come to. What changes nothing leaves the serial alone.
 *
 * @throws ServiceError for what our own rules refuse
 */
export async function applyUpdate(
  work: UnitOfWork,
  zone: LockedZone,
  update: Update,
): Promise<UpdateOutcome> {
  try {
    const changes = await planUpdate(work, zone, update);
    // Before the rules, whose answers tell what else is there.
    requireMayChange(work.caller, zone, changes);
    refuseBreaches(await findBreaches(work, zone, changes));
    await requireRecordQuota(work, zone, changes);
    // Each record is named by who deletes it; only a key that is kept to less must not.
    if (checkConfirmation(zone, changes, false).length > 0) requireMayConfirm(work.caller);
    return { rcode: RCODE.NOERROR, zone: await writeChanges(work, zone, changes) };
  } catch (error) {
    if (error instanceof UpdateFault) return { rcode: error.rcode, zone };
    throw error;
  }
}

async function planUpdate(
  { trx }: UnitOfWork,
  zone: LockedZone,
  { answers, authorities }: Update,
): Promise<readonly RecordChange[]> {
  if (answers.length > MAX_STEPS || authorities.length > MAX_STEPS) {
    throw new ServiceError('invalid', `An update has at most ${MAX_STEPS} records in each part.`);
  }
  const names = new Set([...answers, ...authorities].map(nameOfRecord));
  const inside = [...names].filter((name) => isAtOrBelow(name, zone.name));
  const view = await ZoneView.read(trx, zone, inside);
  const before = new Map(view.records);
  checkPrerequisites(view, answers, zone.name);
  const steps = await mapInSlices(authorities, (record) => readUpdateStep(record, zone.name));
  await forEachInSlices(steps, (step) => {
    takeStep(view, zone, step);
  });
  return [...view.records].flatMap(([name, after]) => {
    const kept = new Set(after.map(({ row }) => row?.id));
    const gone = (before.get(name) ?? []).flatMap(({ row }) =>
      row === undefined || kept.has(row.id) ? [] : [{ before: row, after: undefined }],
    );
    const come = after.flatMap(({ row, content }) => {
      if (row === undefined) return [creation(zone, content)];
      return isSameContent(row, content) ? [] : [modification(zone, row, content)];
    });
    return [...gone, ...come];
  });
}
