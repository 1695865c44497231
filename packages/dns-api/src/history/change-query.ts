import { isRecordTypeName } from '@zonewright/dns-records';
import { invalidRequest, isUuid, type Problem } from '@zonewright/service-kit';
import type { ChangeFilter } from '@zonewright/zones';
import { canonicalFilterName } from '../http/filter-name.js';
import { readFlag } from '../http/flags.js';
import { readParameter } from '../http/parameter.js';

/** Requested changes, and how they are shown. */
export interface ChangeQuery {
  readonly filter: ChangeFilter;
  /** Whether changes have all members. Older clients refuse unknown members, and never ask for them. */
  readonly isExtended: boolean;
  /** Whether the changes of one serial are shown as one. */
  readonly isGrouped: boolean;
}

const FILTERS = ['record_id', 'name', 'type', 'user_id', 'since', 'until'] as const;
/** Parameters that the link to the next page repeats. */
export const CHANGE_PARAMETERS = [...FILTERS, 'extended', 'group'] as const;

/** Time in UTC as the API shows it; the zone is optional. */
const TIME = /^(\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,6})?)?)?)Z?$/;

/** @throws ServiceError `invalid` with all problems. */
export function readChangeQuery(query: URLSearchParams): ChangeQuery {
  const [recordId, name, type, userId, since, until] = FILTERS.map((each) =>
    readParameter(query, each),
  );
  const group = query.get('group') ?? 'none';
  const problems: Problem[] = [
    ...check(
      'record_id',
      'format',
      recordId === undefined || isUuid(recordId),
      'the id of a record',
    ),
    ...check(
      'type',
      'enum',
      type === undefined || isRecordTypeName(type.toUpperCase(), 'all'),
      'the name of a record type',
    ),
    ...check('group', 'enum', group === 'none' || group === 'serial', 'serial or none'),
    ...checkTime('since', since),
    ...checkTime('until', until),
  ];
  if (problems.length > 0) throw invalidRequest(problems);
  return {
    filter: {
      recordId,
      name: canonicalFilterName(name),
      type: type?.toUpperCase(),
      userId,
      since: toUtc(since),
      until: toUtc(until),
    },
    isExtended: readFlag(query, 'extended'),
    isGrouped: group === 'serial',
  };
}

function checkTime(path: string, value: string | undefined): Problem[] {
  const isTime = value === undefined || (TIME.test(value) && !Number.isNaN(Date.parse(value)));
  return check(path, 'format', isTime, 'a time in UTC, such as 2026-11-21T01:02:03 or 2026-11-21');
}

function toUtc(time: string | undefined): string | undefined {
  return time?.replace(TIME, '$1+00');
}

function check(path: string, validator: string, isRight: boolean, what: string): Problem[] {
  return isRight ? [] : [{ path, validator, message: `${path} must be ${what}.` }];
}
