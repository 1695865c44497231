import { invalidRequest, type Problem, problemsOf } from '@zonewright/service-kit';
import type { RecordChange } from '../checks/record-change.js';
import type { UnitOfWork } from '../request/unit-of-work.js';
import type { Zone, ZoneTarget } from '../rows/zone.js';
import { changeAlone, type Plan, type PlanState } from '../write/change-alone.js';
import { checkEach, type Separation } from '../write/separate-violations.js';
import { checkFile, planImport } from './plan-import.js';
import {
  type ImportRequest,
  showFirstLines,
  type SkippedLine,
  type SkippedLineText,
} from './import-request.js';
import type { FileForm } from './form-entry.js';
import type { SelectedRecords } from './read-zone-file.js';

/** Records of a file for a zone. */
export type FileRecords = SelectedRecords & { readonly form: FileForm };

export interface ImportResult {
  /** Zone after the import. Unchanged after a dry run. */
  readonly zone: Zone;
  readonly changes: readonly RecordChange[];
  readonly unchanged: number;
  /** First skipped lines, in the order of the file. */
  readonly notTaken: readonly SkippedLineText[];
  readonly notTakenCount: number;
  readonly form: FileForm;
  /** Warnings about records that are imported. */
  readonly notes: readonly SkippedLineText[];
  /** The reason why the import would be rejected. Undefined unless it was a dry run. */
  readonly refusal: readonly Problem[] | undefined;
}

/**
 * Imports the records of a zone file into a zone, with one serial. A dry run is not rejected for the content of the
 * file: it reports the problems.
 *
 * @throws ServiceError `not-found`, `precondition-failed`, `over-quota`, or `invalid` if lines are invalid or a
 * confirmation is missing
 */
export async function importIntoZone(
  work: UnitOfWork,
  { id, ifMatch }: ZoneTarget,
  { taken, notTaken, notes, form }: FileRecords,
  request: ImportRequest,
): Promise<ImportResult> {
  const confirmation = { confirm: request.confirm, isReplacement: request.mode === 'replace' };
  let result: Omit<ImportResult, 'zone' | 'form' | 'notTaken' | 'notes'> | undefined;
  let lines: SkippedLine[] = [];
  let warned: SkippedLine[] = [];
  const plan = async ({ zone }: PlanState) => {
    const planned = await planImport(work, zone, taken, request.mode);
    const { changes, reader, unchanged, listSkipped, listWarned } = planned;
    const refuse = (separation: Separation) => {
      lines = [...notTaken, ...listSkipped(separation.violations)];
      lines.sort((one, other) => one.line - other.line);
      warned = listWarned(separation.warnings);
      if (request.onError === 'skip') return undefined;
      const problems = checkFile(separation.changes, unchanged, lines);
      return problems.length > 0 ? invalidRequest(problems) : undefined;
    };
    const check: Plan['check'] = async () => {
      const options = { reader, confirmation, refuse };
      const { separation, judged, refusal } = await checkEach(work, zone, changes, options);
      const problems = refusal === undefined ? [] : problemsOf(refusal);
      result = {
        changes: refusal === undefined ? judged : separation.changes,
        ...{ unchanged, notTakenCount: lines.length },
        refusal: work.isDryRun ? problems : undefined,
      };
      return judged;
    };
    return { changes, check };
  };
  const { before, after } = await changeAlone(work, id, { ifMatch, names: [], plan });
  if (result === undefined) throw new Error('Nothing was checked.');
  return {
    ...{ ...result, form },
    notTaken: await showFirstLines(request.text, lines),
    notes: await showFirstLines(request.text, [...notes, ...warned]),
    zone: work.isDryRun ? before : after,
  };
}
