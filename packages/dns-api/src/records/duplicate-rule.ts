import { type FutureNames, rdataKey } from './future-names.js';
import type { RecordChange } from './record-change.js';
import type { Breach } from './record-rules.js';

/** decisions 3: one record of a name, type, data and priority. */
export function checkDuplicates(written: readonly RecordChange[], future: FutureNames): Breach[] {
  return written.flatMap((change) => {
    const { after } = change;
    // An alias that is not alone is told so by its own rule.
    if (after === undefined || after.type === 'CNAME') return [];
    const first = future.get(after.name)?.firstOf.get(rdataKey(after));
    if (first === undefined || first.id === after.id) return [];
    const message = `the record ${after.name} ${after.type} ${after.data} exists already, with the id ${first.id}.`;
    return [{ change, kind: 'conflict', problem: { path: 'data', validator: 'unique', message } }];
  });
}
