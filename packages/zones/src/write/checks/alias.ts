import { BASIC_TYPE_NAMES } from '@zonewright/dns-records';
import type { RecordKey } from '../../rows/record-store.js';
import { beginning, type RecordChange } from '../changes/record-change.js';
import type { RuleFacts } from './rule-facts.js';
import type { Violation } from './violation.js';

/** Rejects records beside a CNAME record (RFC 1034 section 3.6.2). Records of a former primary can still be edited. */
export function checkAlias(
  { future }: Pick<RuleFacts, 'future'>,
  change: RecordChange,
): Violation[] {
  const after = beginning(change);
  const first = after && future.get(after.name)?.first;
  if (after === undefined || first === undefined || first.id === after.id) return [];
  if (first.type !== 'CNAME' && after.type !== 'CNAME') return [];
  const message =
    first.type === 'CNAME'
      ? `${JSON.stringify(after.name)} has a CNAME record, which must be alone at its name; remove it first.`
      : `a CNAME record must be alone at its name, and ${JSON.stringify(after.name)} has ${othersOf(first)}; remove them first.`;
  return [{ change, kind: 'invalid', problem: { path: 'name', validator: 'alone', message } }];
}

/** Names types that not every client is shown: such a client would not find the record. */
function othersOf({ type }: RecordKey): string {
  return BASIC_TYPE_NAMES.includes(type)
    ? 'others'
    : `others (${type}, listed with all_types=true)`;
}
