import { type FutureNames, rdataKey } from './future-names.js';
import type { RecordChange } from '../changes/record-change.js';
import type { Breach } from './violation.js';

/** As much of the data as a message shows. */
const MAX_SHOWN = 255;

/** decisions 3: one record of a name, type, data and priority. */
export function checkDuplicate(change: RecordChange, future: FutureNames): Breach[] {
  const { after } = change;
  // An alias that is not alone is told so by its own rule.
  if (after === undefined || after.type === 'CNAME') return [];
  const first = future.get(after.name)?.firstOf.get(rdataKey(after));
  if (first === undefined || first.id === after.id) return [];
  const data = after.data.length > MAX_SHOWN ? `${after.data.slice(0, MAX_SHOWN)}…` : after.data;
  const message = `the record ${after.name} ${after.type} ${data} exists already, with the id ${first.id}.`;
  return [{ change, kind: 'conflict', problem: { path: 'data', validator: 'unique', message } }];
}
