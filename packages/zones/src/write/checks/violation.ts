import { type Problem, ServiceError } from '@zonewright/service-kit';
import { invalidRecord } from '../../request/invalid-record.js';
import type { RecordChange } from '../changes/record-change.js';

/** A rule among records that a change violates. */
export interface Violation {
  readonly change: RecordChange;
  readonly kind: 'invalid' | 'conflict';
  readonly problem: Problem;
}

/** @throws ServiceError `invalid` or `conflict` */
export function refuseViolations(violations: readonly Violation[]): void {
  const invalid = violations.filter(({ kind }) => kind === 'invalid');
  if (invalid.length > 0) throw invalidRecord(invalid.map(({ problem }) => problem));
  const [conflict] = violations;
  if (conflict === undefined) return;
  throw new ServiceError('conflict', conflict.problem.message, {
    details: { subject: 'record', problems: [conflict.problem] },
  });
}
