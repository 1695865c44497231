import type { ExaminationResult } from '../doctor/examination.js';
import { PARTS } from '../doctor/parts.js';

export function renderExamination(result: ExaminationResult) {
  const { zone, checkedAt, findings, notChecked, nameservers } = result;
  return {
    id: zone.id,
    name: zone.name,
    serial: zone.serial,
    checked_at: checkedAt.toISOString().replace(/Z$/, '000'),
    state: stateOf(result),
    checked: PARTS.filter((part) => !notChecked.has(part)),
    not_checked: PARTS.filter((part) => notChecked.has(part)),
    findings,
    nameservers,
  };
}

/** `ok` is said of what was looked at: where nobody looked, nothing is known. */
function stateOf({ findings: [worst], notChecked }: ExaminationResult): string {
  if (worst !== undefined && worst.severity !== 'info') return worst.severity;
  return notChecked.size > 0 ? 'unknown' : 'ok';
}
