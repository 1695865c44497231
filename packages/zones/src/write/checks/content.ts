import { checkRecord } from '@zonewright/dns-records';
import type { Zone } from '../../rows/zone.js';
import type { RecordChange } from '../changes/record-change.js';
import type { Violation } from './violation.js';

/** Rejects a row that no request could write, such as an SOA record that a primary once had. */
export function checkContent({ name }: Pick<Zone, 'name'>, change: RecordChange): Violation[] {
  const { after } = change;
  if (after === undefined) return [];
  return checkRecord(after, name).map((problem) => ({ change, kind: 'invalid', problem }));
}
