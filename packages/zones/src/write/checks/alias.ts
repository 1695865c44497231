import { BASIC_TYPE_NAMES } from '@zonewright/dns-records';
import type { FutureNames } from './future-names.js';
import type { RecordChange } from '../changes/record-change.js';
import type { RecordKey } from '../../rows/record-store.js';
import type { Breach } from './violation.js';

/** RFC 1034 s3.6.2: a CNAME record stands alone at its name. */
export function checkAlias(change: RecordChange, future: FutureNames): Breach[] {
  const { after } = change;
  const first = after && future.get(after.name)?.first;
  if (after === undefined || first === undefined || first.id === after.id) return [];
  if (first.type !== 'CNAME' && after.type !== 'CNAME') return [];
  const message =
    first.type === 'CNAME'
      ? `${JSON.stringify(after.name)} has a CNAME record, beside which nothing else can stand; remove it first.`
      : `a CNAME record stands alone at its name, and ${JSON.stringify(after.name)} has ${othersOf(first)}; remove them first.`;
  return [{ change, kind: 'invalid', problem: { path: 'name', validator: 'alone', message } }];
}

/** Types that not every client is shown are named: who is not shown the record would look for it in vain. */
function othersOf({ type }: RecordKey): string {
  return BASIC_TYPE_NAMES.includes(type)
    ? 'others'
    : `others (${type}, listed with all_types=true)`;
}
