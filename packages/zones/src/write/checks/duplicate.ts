import { type RecordChange, served } from '../changes/record-change.js';
import { rdataKey } from './future-names.js';
import type { RuleFacts } from './rule-facts.js';
import type { Violation } from './violation.js';

/** Characters of the data that a message shows. */
const MAX_SHOWN = 255;

/** Rejects a second record of the same name, type, data and priority (D-REC-11). */
export function checkDuplicate(
  { future }: Pick<RuleFacts, 'future'>,
  change: RecordChange,
): Violation[] {
  const { after } = served(change);
  // Other rules report a second CNAME or DNAME record.
  if (after === undefined || after.type === 'CNAME' || after.type === 'DNAME') return [];
  const first = future.get(after.name)?.firstOf.get(rdataKey(after));
  if (first === undefined || first.id === after.id) return [];
  const data = after.data.length > MAX_SHOWN ? `${after.data.slice(0, MAX_SHOWN)}…` : after.data;
  const message = `the record ${after.name} ${after.type} ${data} exists already, with the id ${first.id}.`;
  return [{ change, kind: 'conflict', problem: { path: 'data', validator: 'unique', message } }];
}
