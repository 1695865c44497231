import { forEachInSlices, MAX_PROBLEMS, type Problem } from '@zonewright/service-kit';
import {
  creation,
  modification,
  type RecordChange,
  type Violation,
} from '../checks/record-change.js';
import type { UnitOfWork } from '../request/unit-of-work.js';
import { listAllRecords } from '../rows/record-store.js';
import type { ZoneRecord } from '../rows/record.js';
import type { LockedZone } from '../rows/zone.js';
import type { ImportMode, SkippedLine } from './import-request.js';
import { readAmong, type ZoneReader } from '../write/neighbour-store.js';
import { contentKey, type FileRecord } from './read-zone-file.js';

interface ImportPlan {
  readonly changes: readonly RecordChange[];
  /** Number of records in the file that the zone already has. */
  readonly unchanged: number;
  readonly reader: ZoneReader;
  /** Returns the skipped lines, some of them because of violations. */
  readonly listSkipped: (violations: readonly Violation[]) => SkippedLine[];
  /** Returns the lines of warnings. */
  readonly listWarned: (warnings: readonly Violation[]) => SkippedLine[];
}

const OTHER_NS =
  'This nameserver does not belong to this service, and the file contains no nameserver that does; create the record if resolvers should query it, too.';

/** Plans the changes after which the zone contains the records of the file, and with mode `replace` no others. */
export async function planImport(
  work: UnitOfWork,
  zone: LockedZone,
  records: readonly FileRecord[],
  mode: ImportMode,
): Promise<ImportPlan> {
  const all = await listAllRecords(work.trx, zone.id);
  const stored = new Map<string, ZoneRecord>();
  await forEachInSlices(all, (record) => {
    stored.set(contentKey(record), record);
  });
  const lines = new Map<RecordChange, number>();
  const left: SkippedLine[] = [];
  await forEachInSlices(records, ({ line, content, key, isKeptOnly }) => {
    const before = stored.get(key);
    stored.delete(key);
    if (before === undefined && isKeptOnly) {
      left.push({ line, reason: OTHER_NS, severity: 'warning', code: 'other-ns' });
      return;
    }
    const change =
      before === undefined ? creation(zone, content) : changeTtl(zone, before, content.ttl);
    if (change !== undefined) lines.set(change, line);
  });
  const removals =
    mode === 'replace' ? [...stored.values()].map((before) => ({ before, after: undefined })) : [];
  const toLines = (found: readonly Violation[], severity: SkippedLine['severity']) =>
    found.map(({ change, problem: { message, validator } }) => ({
      ...{ line: lines.get(change) ?? 0, reason: message },
      ...{ severity, code: validator },
    }));
  return {
    changes: [...lines.keys(), ...removals],
    reader: readAmong(work.trx, zone, all),
    unchanged: records.length - left.length - lines.size,
    listSkipped: (violations) => [...left, ...toLines(violations, 'error')],
    listWarned: (warnings) => toLines(warnings, 'warning'),
  };
}

/**
 * Changes the TTL of an existing record, which is the only property that a file can change. The stored spelling is
 * kept.
 */
function changeTtl(
  zone: LockedZone,
  before: ZoneRecord,
  ttl: number | null,
): RecordChange | undefined {
  if ((before.ttl ?? zone.ttl) === (ttl ?? zone.ttl)) return undefined;
  return modification(zone, before, { ...before, ttl });
}

/** Maximum number of lines in an error. The last problem gives the number of the others. */
const MAX_LINES = MAX_PROBLEMS - 1;
const REMEDY = 'use on_error=skip to skip invalid lines';

/** Returns the problems that reject a whole file: invalid lines, or no records. */
export function checkFile(
  changes: readonly RecordChange[],
  unchanged: number,
  lines: readonly SkippedLine[],
): Problem[] {
  const wrong = lines.filter(({ severity }) => severity === 'error');
  if (wrong.length > 0) return [...wrong.slice(0, MAX_LINES).map(toProblem), ...theRest(wrong)];
  if (unchanged > 0 || changes.some(({ after }) => after !== undefined)) return [];
  const message = `zonefile contains no record that this domain can have; ${REMEDY}.`;
  return [{ path: 'zonefile', validator: 'minItems', message }];
}

function toProblem({ line, reason, code }: SkippedLine): Problem {
  return { path: `zonefile:${line}`, validator: code, message: `line ${line}: ${reason}` };
}

function theRest({ length }: readonly SkippedLine[]): Problem[] {
  if (length <= MAX_LINES) return [];
  const message = `${length - MAX_LINES} more lines are invalid; ${REMEDY}.`;
  return [{ path: 'zonefile', validator: 'maxItems', message }];
}
