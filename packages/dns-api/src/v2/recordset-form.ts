import { invalidRequest, type Problem } from '@zonewright/service-kit';
import {
  isManaged,
  type ObjectStatus,
  type RecordFields,
  type RecordInput,
  type Recordset,
  type RecordsetInput,
  type RecordsetUpdate,
  type Zone,
} from '@zonewright/zones';
import { linkOf } from './http/reply.js';
import { type ProjectRequest, readMembers } from './http/request.js';
import { actionOf, type ObjectAction } from './render-zone.js';

const WRITABLE = ['name', 'type', 'ttl', 'description', 'records'];
/** Read-only members of a recordset. A change may contain them; they are ignored. */
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
export function readRecordsetUpdate(body: unknown, type: string | undefined): RecordsetUpdate {
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

/** Renders a recordset as in Designate v2. */
export function renderRecordset(
  request: ProjectRequest,
  { zone, recordset }: { readonly zone: Zone; readonly recordset: Recordset },
  status: ObjectStatus,
  action: ObjectAction = actionOf(recordset, status),
) {
  const { id, type, ttl, description, createdAt, updatedAt } = recordset;
  // The labels of the zone are shown as in its own name, which clients prepend labels to and compare with.
  const name = recordset.name.slice(0, -zone.name.length) + zone.displayName;
  return {
    id,
    zone_id: zone.id,
    zone_name: zone.displayName,
    project_id: zone.tenantId,
    name,
    type,
    records: renderRecordTexts(recordset),
    ttl,
    description,
    status,
    action,
    managed: isManaged(recordset),
    // Each record and each change of a record increases the version.
    version: recordset.rows.reduce(
      (sum, { version }) => sum + version,
      isManaged(recordset) ? 1 : 0,
    ),
    created_at: createdAt,
    updated_at: updatedAt,
    links: linkOf(request, `zones/${zone.id}/recordsets/${id}`),
  };
}

/** Types whose text in v2 contains the priority before the data. */
const WITH_PRIORITY: ReadonlySet<unknown> = new Set(['MX', 'SRV']);

const EXAMPLES: Readonly<Record<string, string>> = {
  MX: '10 mail.example.com.',
  SRV: '10 20 5060 sip.example.com.',
};

/** Renders a record as one text, as in v2. */
function renderRecordText({ priority, data }: Pick<RecordFields, 'priority' | 'data'>) {
  return priority === null ? data : `${priority} ${data}`;
}

/** Returns the managed records of a recordset, then those of users, oldest first. */
function renderRecordTexts({ provided, rows }: Recordset): string[] {
  return [...provided, ...rows.map(renderRecordText)];
}

/** Splits the text of a record. The zones package validates its parts. */
function readRecordText(type: unknown, text: unknown): RecordInput {
  if (!WITH_PRIORITY.has(type) || typeof text !== 'string') return { data: text, priority: null };
  const [, priority, data] = /^\s*(\d{1,10})\s+(\S[^]*)$/.exec(text) ?? [];
  return priority === undefined || data === undefined
    ? { data: text, priority: undefined }
    : { data, priority: Number(priority) };
}

/** Returns the problems of a list of record texts. */
function checkRecordTexts(type: unknown, records: unknown): Problem[] {
  if (!Array.isArray(records) || records.length === 0) {
    const message = 'records must be a list of one or more strings, such as ["192.0.2.1"].';
    return [{ path: 'records', validator: 'type', message }];
  }
  return records.flatMap((text, at): Problem[] => {
    const path = `records[${at}]`;
    if (typeof text !== 'string') {
      return [{ path, validator: 'type', message: `${path} must be a string.` }];
    }
    const { priority } = readRecordText(type, text);
    if (priority !== undefined) return [];
    const example = EXAMPLES[String(type)] ?? '';
    const message = `${path} of type ${String(type)} must begin with the priority; write for example ${JSON.stringify(example)}.`;
    return [{ path, validator: 'format', message }];
  });
}
