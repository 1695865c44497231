import {
  checkRecord,
  type RecordTypeName,
  type SupportedTypes,
  toAsciiDomainName,
} from '@zonewright/dns-records';
import { type InputMembers, invalidRecord } from '../request/rules.js';
import { completeContent, type RecordContent, type ZoneRecord } from '../rows/record.js';
import { RECORD_FLAGS } from '../rows/record-flags.js';

/**
 * Reads the content of a new record.
 *
 * @param known types that the client supports
 * @throws ServiceError `invalid` with all problems
 */
export function newRecordContent(
  { values, problems }: InputMembers,
  zoneName: string,
  known: SupportedTypes,
  stored?: Pick<ZoneRecord, 'name' | 'type' | 'flags'>,
): RecordContent {
  const { flags, problems: ofFlags } = RECORD_FLAGS.read(values, stored?.flags);
  const staysInPlace = values['name'] === stored?.name && values['type'] === stored?.type;
  // A primary may have set a name that no request could. It is kept until it is changed.
  const ofRecord = checkRecord(values, zoneName, known).filter(
    ({ path }) => stored === undefined || !staysInPlace || path !== 'name',
  );
  const all = [...problems, ...ofRecord, ...ofFlags];
  if (all.length > 0) throw invalidRecord(all);
  // The checks above have verified these types.
  const { name, type, data } = values as { name: string; type: RecordTypeName; data: string };
  const { ttl, priority, description } = values as Partial<ZoneRecord>;
  return completeContent({
    name: staysInPlace ? name : toAsciiDomainName(name),
    type,
    data,
    ttl: ttl ?? null,
    priority: priority ?? null,
    description: description ?? null,
    flags,
  });
}

/**
 * Reads the new content of an existing record. Missing members are not changed.
 *
 * @throws ServiceError `invalid` with all problems of the merged record
 */
export function changedRecordContent(
  { values, problems }: InputMembers,
  stored: ZoneRecord,
  { zoneName, known }: { readonly zoneName: string; readonly known: SupportedTypes },
): RecordContent {
  const { name, type, data, ttl, priority, description } = stored;
  const merged = { name, type, data, ttl, priority, description, ...values };
  return newRecordContent({ values: merged, problems }, zoneName, known, stored);
}
