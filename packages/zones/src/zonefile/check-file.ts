import { MAX_PROBLEMS, type Problem } from '@zonewright/service-kit';
import type { SkippedLine } from './line-not-taken.js';
import type { ImportPlan } from './plan-import.js';

/** The last problem of an error says how many more there are. */
const MAX_LINES = MAX_PROBLEMS - 1;
const REMEDY = 'write on_error=skip to leave out what cannot be taken';

/** Problems that refuse a whole file: invalid lines, or no records. */
export function checkFile(
  { changes, unchanged }: ImportPlan,
  lines: readonly SkippedLine[],
): Problem[] {
  const wrong = lines.filter(({ severity }) => severity === 'error');
  if (wrong.length > 0) return [...wrong.slice(0, MAX_LINES).map(toProblem), ...theRest(wrong)];
  if (unchanged > 0 || changes.some(({ after }) => after !== undefined)) return [];
  const message = `zonefile holds no record that this domain could have; ${REMEDY}.`;
  return [{ path: 'zonefile', validator: 'minItems', message }];
}

function toProblem({ line, reason, code }: SkippedLine): Problem {
  return { path: `zonefile:${line}`, validator: code, message: `line ${line}: ${reason}` };
}

function theRest({ length }: readonly SkippedLine[]): Problem[] {
  if (length <= MAX_LINES) return [];
  const message = `${length - MAX_LINES} more lines are wrong; ${REMEDY}.`;
  return [{ path: 'zonefile', validator: 'maxItems', message }];
}
