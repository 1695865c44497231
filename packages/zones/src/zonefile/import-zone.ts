import { type LockedZone, type Zone, zoneEtag, type ZoneTarget } from '../rows/zone.js';
import { requireMatch } from '../request/precondition.js';
import { lockZoneForRecords } from '../write/read/lock-zone.js';
import type { RecordChange } from '../write/changes/record-change.js';
import { checkConfirmation, checkReplacement } from '../write/checks/guard.js';
import { requireRecordQuota } from '../write/check-changes.js';
import { writeChanges } from '../write/commit/write-changes.js';
import type { UnitOfWork } from '../transactions/unit-of-work.js';
import { invalidRequest, type Problem } from '@zonewright/service-kit';
import { checkFile } from './check-file.js';
import type { ImportRequest } from './import-request.js';
import { type LineNotTaken, type ShownLine, showLines } from './line-not-taken.js';
import { type ImportPlan, planImport } from './plan-import.js';
import type { SelectedRecords } from './read-zone-file.js';

export interface ImportResult {
  /** As it is now; after a dry run, as it was. */
  readonly zone: Zone;
  readonly changes: readonly RecordChange[];
  readonly unchanged: number;
  /** The first of them, in the order of the file. */
  readonly notTaken: readonly ShownLine[];
  readonly notTakenCount: number;
  /** Why nothing of it would be done; undefined unless it was only tried. */
  readonly refusal: readonly Problem[] | undefined;
}

/** Nobody reads the reasons of more lines. */
const MAX_LINES_SHOWN = 100;

/**
 * Brings the records of a zone file into a zone, in one step of its serial. A dry run is not refused for what stands
 * in the file: it is there to show that.
 *
 * @throws ServiceError `not-found`, `precondition-failed`, `over-quota`, or `invalid` when lines are wrong or it must be
 * confirmed.
 */
export async function importIntoZone(
  work: UnitOfWork,
  target: ZoneTarget,
  { taken, notTaken }: SelectedRecords,
  request: ImportRequest,
): Promise<ImportResult> {
  const zone = await lockZoneForRecords(
    work,
    target.id,
    taken.map(({ content }) => content),
  );
  requireMatch(target.ifMatch, zoneEtag(zone));
  const plan = await planImport(work, zone, taken, request.mode);
  await requireRecordQuota(work, zone, plan.changes);
  const lines = [...notTaken, ...plan.notTaken].sort((one, other) => one.line - other.line);
  const problems = findProblems(zone, plan, lines, request);
  const { changes, unchanged } = plan;
  const result = {
    changes,
    unchanged,
    notTaken: await showLines(request.text, lines.slice(0, MAX_LINES_SHOWN)),
    notTakenCount: lines.length,
  };
  if (work.isDryRun) return { ...result, zone, refusal: problems };
  if (problems.length > 0) throw invalidRequest(problems);
  return { ...result, zone: await writeChanges(work, zone, changes), refusal: undefined };
}

function findProblems(
  zone: LockedZone,
  plan: ImportPlan,
  lines: readonly LineNotTaken[],
  { mode, onError, confirm }: ImportRequest,
): readonly Problem[] {
  const problems = onError === 'refuse' ? checkFile(plan, lines) : [];
  // What is missing because its line is wrong would count as removed.
  if (problems.length > 0) return problems;
  const check = mode === 'replace' ? checkReplacement : checkConfirmation;
  return check(zone, plan.changes, confirm);
}
