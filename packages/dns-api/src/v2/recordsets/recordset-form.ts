import { invalidRequest, type Problem } from '@zonewright/service-kit';
import type { RecordsetInput, RecordsetUpdate } from '@zonewright/zones';
import { readMembers } from '../http/body.js';
import { checkRecordTexts, readRecordText } from './record-text.js';

const WRITABLE = ['name', 'type', 'ttl', 'description', 'records'];
/** Members of a recordset as it is read; a change may carry them, and they change nothing. */
const READ_ONLY = [
  'id',
  'zone_id',
  'zone_name',
  'project_id',
  'status',
  'action',
  'version',
  'created_at',
  'updated_at',
  'links',
];

/** Reads the body of Create Recordset. @throws ServiceError `invalid` with all problems. */
export function readNewRecordset(body: unknown): RecordsetInput {
  const { values, problems } = readMembers(body, WRITABLE);
  const { type, records } = values;
  const all = [...problems, ...checkRecordTexts(type, records)];
  return { ...draftOf(values, all), records: draftRecords(type, records, all) };
}

/** Reads the body of Update Recordset. @throws ServiceError `invalid` with all problems. */
export function readRecordsetUpdate(body: unknown, type: string): RecordsetUpdate {
  const { values, problems } = readMembers(body, WRITABLE, READ_ONLY);
  const { records } = values;
  if (records === undefined) {
    return { ...draftOf(values, problems), records: undefined };
  }
  const all = [...problems, ...checkRecordTexts(type, records)];
  return { ...draftOf(values, all), records: draftRecords(type, records, all) };
}

function draftOf(values: Readonly<Record<string, unknown>>, problems: readonly Problem[]) {
  const { name, type, ttl, description } = values;
  return { name, type, ttl, description, problems };
}

/** Returns no records if the texts have problems. */
function draftRecords(type: unknown, records: unknown, problems: readonly Problem[]) {
  if (problems.some(({ path }) => path.startsWith('records'))) throw invalidRequest(problems);
  return (records as unknown[]).map((text) => readRecordText(type, text));
}
