import { checkRecord } from '@zonewright/dns-records';
import type { Zone } from '../../rows/zone.js';
import type { RecordChange } from '../changes/record-change.js';
import type { Violation } from './violation.js';

/** Rejects a row that no request could write, such as an SOA record that a primary once had. A name that stays is not checked. */
export function checkContent({ name }: Pick<Zone, 'name'>, change: RecordChange): Violation[] {
  const { before, after } = change;
  if (after === undefined) return [];
  const staysInPlace = before?.name === after.name && before.type === after.type;
  return checkRecord(after, name)
    .filter(({ path }) => !staysInPlace || path !== 'name')
    .map((problem) => ({ change, kind: 'invalid', problem }));
}
