import type { Zone } from '../domains/zone.js';
import { lockZoneForRecords } from '../records/lock-zone.js';
import type { RecordChange } from '../records/record-change.js';
import { requireConfirmation } from '../records/record-guard.js';
import { requireRecordQuota } from '../records/record-rules.js';
import { writeChanges } from '../records/write-changes.js';
import type { UnitOfWork } from '../transactions/unit-of-work.js';
import type { ImportRequest } from './import-form.js';
import { planImport } from './plan-import.js';
import type { FileRecord, LineNotTaken } from './read-zone-file.js';

/** What a zone file may bring into a zone. */
export interface SelectedRecords {
  readonly taken: readonly FileRecord[];
  readonly notTaken: readonly LineNotTaken[];
}

export interface ImportResult {
  /** As it is now; after a dry run, as it was. */
  readonly zone: Zone;
  readonly isDryRun: boolean;
  readonly changes: readonly RecordChange[];
  readonly unchanged: number;
  /** In the order of the file. */
  readonly notTaken: readonly LineNotTaken[];
}

/**
 * Brings the records of a zone file into a zone, in one step of its serial; a dry run says what would happen.
 *
 * @throws ServiceError `not-found`, `over-quota`, or `invalid` when it must be confirmed.
 */
export async function importIntoZone(
  work: UnitOfWork,
  zoneId: string,
  { taken, notTaken }: SelectedRecords,
  { mode, isDryRun, confirm }: ImportRequest,
): Promise<ImportResult> {
  const zone = await lockZoneForRecords(
    work,
    zoneId,
    taken.map(({ content }) => content),
  );
  const plan = await planImport(work, zone, taken, mode);
  await requireRecordQuota(work, zone, plan.changes);
  const result = {
    isDryRun,
    changes: plan.changes,
    unchanged: plan.unchanged,
    notTaken: [...notTaken, ...plan.notTaken].sort((one, other) => one.line - other.line),
  };
  if (isDryRun) return { ...result, zone };
  requireConfirmation(zone, plan.changes, confirm);
  return { ...result, zone: await writeChanges(work, zone, plan.changes) };
}
