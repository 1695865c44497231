import { type Zone, zoneEtag, type ZoneTarget } from '../rows/zone.js';
import { requireMatch } from '../request/rules.js';
import { lockZoneForRecords } from '../rows/get-zone.js';
import { NO_CHANGES, type RecordChange } from '../checks/record-change.js';
import { checkLimits, type Confirmation } from '../write/check-changes.js';
import { writeChanges } from '../write/commit/write-changes.js';
import type { UnitOfWork } from '../request/unit-of-work.js';
import { invalidRequest, type Problem } from '@zonewright/service-kit';
import { checkFile, planImport } from './plan-import.js';
import { type ImportRequest, showLines, type SkippedLineText } from './import-request.js';
import type { SelectedRecords } from './read-zone-file.js';

export interface ImportResult {
  /** Zone after the import; unchanged after a dry run. */
  readonly zone: Zone;
  readonly changes: readonly RecordChange[];
  readonly unchanged: number;
  /** The first of them, in the order of the file. */
  readonly notTaken: readonly SkippedLineText[];
  readonly notTakenCount: number;
  /** Why nothing of it would be done; undefined unless it was only tried. */
  readonly refusal: readonly Problem[] | undefined;
}

/** Nobody reads the reasons of more lines. */
const MAX_LINES_SHOWN = 100;

/**
 * Imports the records of a zone file into a zone, in one step of its serial. A dry run is not refused for the content of the
 * file: it reports what is wrong.
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
  const zone = await lockZoneForRecords(work, target.id);
  requireMatch(target.ifMatch, zoneEtag(zone));
  const plan = await planImport(work, zone, taken, request.mode);
  const lines = [...notTaken, ...plan.notTaken].sort((one, other) => one.line - other.line);
  const ofFile = request.onError === 'refuse' ? checkFile(plan, lines) : [];
  // A record whose line is wrong would count as removed.
  const { judged, unconfirmed } =
    ofFile.length > 0
      ? NOT_JUDGED
      : await checkLimits(work, zone, plan, { confirmation: toConfirmation(request) });
  const problems = [...ofFile, ...unconfirmed];
  const result = {
    changes: problems.length > 0 ? plan.changes : judged,
    unchanged: plan.unchanged,
    notTaken: await showLines(request.text, lines.slice(0, MAX_LINES_SHOWN)),
    notTakenCount: lines.length,
  };
  if (work.isDryRun) return { ...result, zone, refusal: problems };
  if (problems.length > 0) throw invalidRequest(problems);
  return { ...result, zone: await writeChanges(work, zone, judged), refusal: undefined };
}

const NOT_JUDGED = { judged: NO_CHANGES, unconfirmed: [] };

function toConfirmation({ mode, confirm }: ImportRequest): Confirmation {
  return { confirm, isReplacement: mode === 'replace' };
}
