import { randomUUID } from 'node:crypto';
import { invalidRequest, ServiceError } from '@zonewright/service-kit';
import { mayFind, requireMayChange } from '../rows/key-rules.js';
import {
  creation,
  modification,
  type RecordChange,
  type Violation,
} from '../checks/record-change.js';
import { isSameContent, type RecordContent, type ZoneRecord } from '../rows/record.js';
import { type Recordset, recordsetId, type RecordsetKey, toRecordset } from '../rows/recordset.js';
import type { LockedZone } from '../rows/zone.js';
import type { Plan, PlanState } from '../write/change-alone.js';
import { isManagedRecord, type ZoneView } from '../write/zone-view.js';
import {
  checkSameKey,
  problemAt,
  type RecordInput,
  recordsetContents,
  type RecordsetInput,
} from './recordset-draft.js';
import { recordsetNotFound } from './get-recordset.js';

/**
 * Changes that result from a request for a recordset, and the recordset after them. For a deletion, the recordset
 * before it.
 */
interface PlannedRecordset extends Plan {
  readonly recordset: Recordset;
}

/** Update of a recordset. Missing properties are not changed. */
export type RecordsetUpdate = Omit<RecordsetInput, 'records'> & {
  readonly records: readonly RecordInput[] | undefined;
};

/** @throws ServiceError `invalid`, `forbidden` or `conflict` */
export function planNewRecordset(
  { work, zone, view }: PlanState,
  draft: RecordsetInput,
): PlannedRecordset {
  const contents = recordsetContents(draft, zone.name);
  const [first] = contents;
  if (first === undefined) throw new Error('The recordset has no records.');
  // Check the rights first, so that no error reveals existing records.
  requireMayChange(work.caller, zone, [{ before: undefined, after: first }]);
  requireAbsent(zone, first, view());
  const changes = createAll(zone, contents);
  const recordset = toRecordset(
    zone,
    first,
    changes.map(({ after }) => after),
  );
  return { changes, recordset, placeViolation: placeIn(contents) };
}

/**
 * Plans a change of the records, the TTL or the description of a recordset. Records with the same canonical rdata keep
 * their ids, and unchanged ones their versions.
 *
 * @param editsManaged whether managed records may be changed
 * @param readUpdate reads the request for a recordset of a type; not called if there is no recordset
 * @throws ServiceError
 */
export function planRecordsetUpdate(
  state: PlanState,
  editsManaged: boolean,
  readUpdate: (type: string | undefined) => RecordsetUpdate,
): PlannedRecordset {
  const { zone } = state;
  const found = findVisible(state);
  const update = readUpdate(found?.type);
  const { key, rows, provided } = getForChange(state, found, editsManaged);
  const before = toRecordset(zone, key, rows, provided);
  const draft = completeUpdate(before, update);
  const contents = withoutProvided(recordsetContents(draft, zone.name), update, provided);
  const kept = new Map(rows.map((row) => [row.digest.toString('base64'), row]));
  const changes: RecordChange[] = [];
  const after: ZoneRecord[] = [];
  const added: RecordContent[] = [];
  for (const content of contents) {
    const row = kept.get(content.digest.toString('base64'));
    if (row === undefined) {
      added.push(content);
      continue;
    }
    kept.delete(row.digest.toString('base64'));
    const own = keepUnsaid(content, row, update);
    const change = isSameContent(row, own) ? undefined : modification(zone, row, own);
    if (change !== undefined) changes.push(change);
    after.push(change?.after ?? row);
  }
  const come = createAll(zone, added);
  changes.push(...come, ...[...kept.values()].map((row) => ({ before: row, after: undefined })));
  const all = [...after.toSorted(byAge), ...come.map((change) => change.after)];
  const recordset = toRecordset(zone, key, all, provided);
  return { changes, recordset, placeViolation: placeIn(contents) };
}

/** Returns the whole recordset, with the unchanged properties. */
function completeUpdate(before: Recordset, update: RecordsetUpdate): RecordsetInput {
  const { name, type, ttl, description, rows } = before;
  return {
    name,
    type,
    ttl: update.ttl === undefined ? ttl : update.ttl,
    description: update.description === undefined ? description : update.description,
    records: update.records ?? rows.map(({ data, priority }) => ({ data, priority })),
    problems: [...update.problems, ...checkSameKey(update, before)],
  };
}

/** Plans the deletion of a recordset. @throws ServiceError */
export function planRecordsetDelete(state: PlanState, editsManaged: boolean): PlannedRecordset {
  const { key, rows, provided } = getForChange(state, findVisible(state), editsManaged);
  if (rows.length === 0) throw managedError(key);
  const changes = rows.map((before) => ({ before, after: undefined }));
  return { changes, recordset: toRecordset(state.zone, key, rows, provided) };
}

function requireAbsent(zone: LockedZone, key: RecordsetKey, view: ZoneView): void {
  const isThere = view.at(key.name).some(({ content }) => content.type === key.type);
  if (!isThere && !isManagedRecord(zone, key)) return;
  const message = `The recordset ${JSON.stringify(key.name)} ${key.type} already exists with the id ${recordsetId(zone.id, key)}; update it instead.`;
  throw new ServiceError('conflict', message, {
    details: { subject: 'record', problems: [{ path: 'name', validator: 'unique', message }] },
  });
}

function findVisible({ work, zone, recordset }: PlanState): RecordsetKey | undefined {
  return recordset !== undefined && mayFind(work.caller, zone, recordset) ? recordset : undefined;
}

/** Returns the records of a recordset, oldest first, and the managed ones. @throws ServiceError */
function getForChange(
  { work, zone, view }: PlanState,
  found: RecordsetKey | undefined,
  editsManaged: boolean,
) {
  if (found === undefined) throw recordsetNotFound();
  requireMayChange(work.caller, zone, [{ before: found, after: undefined }]);
  const there = view();
  const rows = there
    .at(found.name)
    .flatMap(({ row }) => (row?.type === found.type ? row : []))
    .toSorted(byAge);
  if (!isManagedRecord(zone, found)) return { key: found, rows, provided: [] };
  // The SOA belongs to the zone, so its values are changed there.
  if (!editsManaged || found.type === 'SOA') throw managedError(found);
  return { key: found, rows, provided: there.managed(found.type) };
}

function managedError({ name, type }: RecordsetKey): ServiceError {
  return new ServiceError(
    'invalid',
    `Managed records cannot be updated: the service provides ${JSON.stringify(name)} ${type} and derives the SOA record from the zone.`,
  );
}

/** Removes managed records: they have no rows, but clients send the whole recordset. */
function withoutProvided(
  contents: readonly RecordContent[],
  { records }: RecordsetUpdate,
  provided: readonly string[],
): readonly RecordContent[] {
  const written = new Set(contents.map(({ data }) => data.toLowerCase()));
  const missing = provided.find((data) => !written.has(data));
  if (records !== undefined && missing !== undefined) {
    const message = `records must contain ${JSON.stringify(missing)}, which the service provides in every zone; you can only add records.`;
    throw invalidRequest([{ path: 'records', validator: 'required', message }]);
  }
  return contents.filter(({ data }) => !provided.includes(data.toLowerCase()));
}

/** Returns the content with the previous TTL and description of each record, if they are not given. */
function keepUnsaid(
  content: RecordContent,
  row: ZoneRecord,
  { ttl, description }: RecordsetUpdate,
): RecordContent {
  return {
    ...content,
    ...(ttl === undefined ? { ttl: row.ttl } : {}),
    ...(description === undefined ? { description: row.description } : {}),
  };
}

/**
 * Creates rows with ids in the order in which the records were given: lists use the id if the creation time is equal.
 */
function createAll(zone: LockedZone, contents: readonly RecordContent[]) {
  const ids = contents.map(() => randomUUID()).toSorted();
  return contents.map((content, at) => {
    const { after } = creation(zone, content);
    return { before: undefined, after: { ...after, id: ids[at] ?? after.id } };
  });
}

/** Adds the index of the record to a violation. */
function placeIn(contents: readonly RecordContent[]): (violation: Violation) => Violation {
  return (violation) => {
    const digest = violation.change.after?.digest;
    const at = contents.findIndex((each) => digest?.equals(each.digest) === true);
    return { ...violation, problem: problemAt(violation.problem, at) };
  };
}

function byAge(one: ZoneRecord, other: ZoneRecord): number {
  return `${one.createdAt} ${one.id}` < `${other.createdAt} ${other.id}` ? -1 : 1;
}
