import { systemClock } from '@zonewright/service-kit';
import { type DomainPart, type MovedDomain, readDomain } from '@zonewright/zones';
import { checkMembers } from './check-members.js';
import { PART_RULES } from './document-rules.js';
import type { ProblemList } from './problem-list.js';

interface Place {
  readonly place: string;
  readonly problems: ProblemList;
  /** Ids of records that the document has had so far. */
  readonly recordIds: Set<string>;
}

/** A domain whose own members have the form of the document: the form of its records, and then what they say. */
export async function checkDomain(part: DomainPart, at: Place): Promise<MovedDomain | undefined> {
  const { place, problems, recordIds } = at;
  const before = problems.count;
  const records = part.records.map((record, index) => {
    const at = { place: `${place}.records[${index}]`, problems };
    if (!checkMembers(record, PART_RULES.records, at)) return undefined;
    if (recordIds.has(record.id)) problems.add(`${at.place}.id`, 'stands there twice');
    recordIds.add(record.id);
    return record;
  });
  const read = await readDomain(part, records, systemClock);
  for (const { path, message } of read.problems) problems.add(`${place}.${path}`, message);
  return problems.count > before ? undefined : read.domain;
}
