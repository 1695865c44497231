import type { RecordChange } from '../changes/record-change.js';
import type { Breach } from './violation.js';
import type { FutureNames } from './future-names.js';

/** A DS record is about a delegation (RFC 4035 s2.4): where there is none it would mean nothing. */
export function checkDelegation(change: RecordChange, future: FutureNames): Breach[] {
  const { after } = change;
  if (after?.type !== 'DS' || future.get(after.name)?.hasDelegation === true) return [];
  const message = `a DS record stands beside the NS records of a child, and ${JSON.stringify(after.name)} has none; create these first.`;
  return [{ change, kind: 'invalid', problem: { path: 'name', validator: 'delegation', message } }];
}
