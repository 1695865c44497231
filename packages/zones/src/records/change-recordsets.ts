import { randomUUID } from 'node:crypto';
import { invalidRequest, ServiceError } from '@zonewright/service-kit';
import { requireMayChange } from '../rows/key-rules.js';
import {
  creation,
  modification,
  type RecordChange,
  type Violation,
} from '../checks/record-change.js';
import { writeChanges } from '../write/commit/write-changes.js';
import { checkChanges } from '../write/check-changes.js';
import { isSameContent, type RecordContent, type ZoneRecord } from '../rows/record.js';
import type { LockedZone, Zone } from '../rows/zone.js';
import type { UnitOfWork } from '../request/unit-of-work.js';
import { isManagedRecord, listManaged } from '../write/zone-view.js';
import { type Recordset, recordsetId, type RecordsetKey, toRecordset } from '../rows/recordset.js';
import {
  checkSameKey,
  problemAt,
  type RecordInput,
  recordsetContents,
  type RecordsetInput,
} from './recordset-draft.js';
import { findRecordsetKey, recordsetNotFound } from './get-recordset.js';
import { listFullRows } from './recordset-store.js';

/** A recordset and its zone, both as they are after a change. */
interface ChangedRecordset {
  readonly recordset: Recordset;
  readonly zone: Zone;
  readonly isChanged: boolean;
}

/** Update of a recordset; omitted properties are unchanged. */
export type RecordsetUpdate = Omit<RecordsetInput, 'records'> & {
  readonly records: readonly RecordInput[] | undefined;
};

/** Recordset to change, and whether records of the service may be changed. */
interface RecordsetTarget {
  readonly id: string;
  readonly editsManaged: boolean;
}

/** Contents and changes of a new recordset. */
interface PlannedRecordset {
  readonly contents: readonly RecordContent[];
  readonly changes: ReturnType<typeof createAll>;
  /** @throws ServiceError `conflict`: there is one of that name and type */
  readonly requireAbsent: (there: readonly RecordsetKey[]) => void;
  readonly placeViolation: (violation: Violation) => Violation;
  readonly recordset: Recordset;
}

/** @throws ServiceError `invalid`, `forbidden` or `over-quota`. */
export function planRecordset(
  work: UnitOfWork,
  zone: LockedZone,
  draft: RecordsetInput,
): PlannedRecordset {
  const contents = recordsetContents(draft, zone.name);
  const [first] = contents;
  if (first === undefined) throw new Error('a recordset has a record');
  // Before anything is said of what is there.
  requireMayChange(work.caller, zone, [{ before: undefined, after: first }]);
  const changes = createAll(zone, contents);
  return {
    contents,
    changes,
    requireAbsent: (there) => {
      requireAbsent(zone, first, there);
    },
    placeViolation: (violation) => placeViolation(contents, violation),
    recordset: toRecordset(
      zone,
      first,
      changes.map(({ after }) => after),
    ),
  };
}

/**
 * Gives a recordset other records, another TTL or another description. Records that stay keep their ids, and those to which
 * nothing happens their versions: which ones stay is known by their canonical rdata.
 */
export async function updateRecordset(
  work: UnitOfWork,
  zone: LockedZone,
  target: RecordsetTarget,
  update: RecordsetUpdate,
): Promise<ChangedRecordset> {
  const { key, rows, provided } = await getForChange(work, zone, target);
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
  const changed = await applyChanges(work, zone, { changes, contents });
  const recordset = toRecordset(
    changed,
    key,
    [...after.toSorted(byAge), ...come.map((change) => change.after)],
    provided,
  );
  return { recordset, zone: changed, isChanged: changes.length > 0 };
}

/** The whole recordset, with what the change leaves out as it was. */
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

/** Deletes all records of a recordset. @returns it as it was */
export async function deleteRecordset(
  work: UnitOfWork,
  zone: LockedZone,
  target: RecordsetTarget,
): Promise<ChangedRecordset> {
  const { key, rows, provided } = await getForChange(work, zone, target);
  if (rows.length === 0) throw managedError(key);
  const changes = rows.map((before) => ({ before, after: undefined }));
  const changed = await writeChanges(work, zone, await checkChanges(work, zone, changes));
  return {
    recordset: toRecordset(changed, key, rows, provided),
    zone: changed,
    isChanged: true,
  };
}

/** @param there the records at its name, among others */
function requireAbsent(zone: LockedZone, key: RecordsetKey, there: readonly RecordsetKey[]): void {
  const isThere = there.some(({ name, type }) => name === key.name && type === key.type);
  if (!isThere && !isManagedRecord(zone, key)) return;
  const message = `The recordset ${JSON.stringify(key.name)} ${key.type} exists already, with the id ${recordsetId(zone.id, key)}; change that.`;
  throw new ServiceError('conflict', message, {
    details: { subject: 'record', problems: [{ path: 'name', validator: 'unique', message }] },
  });
}

async function getForChange(
  { trx, caller }: UnitOfWork,
  zone: LockedZone,
  { id, editsManaged }: RecordsetTarget,
) {
  const key = await findRecordsetKey(trx, { viewer: caller, zone }, id);
  if (key === undefined) throw recordsetNotFound();
  requireMayChange(caller, zone, [{ before: key, after: undefined }]);
  const rows = await listFullRows(trx, zone.id, key);
  if (!isManagedRecord(zone, key)) return { key, rows, provided: [] };
  // SOA is the zone itself: its members are changed there.
  if (!editsManaged || key.type === 'SOA') throw managedError(key);
  return { key, rows, provided: (await listManaged(trx, zone)).get(key.type) ?? [] };
}

function managedError({ name, type }: RecordsetKey): ServiceError {
  return new ServiceError(
    'invalid',
    `Managed records may not be updated: the service provides ${JSON.stringify(name)} ${type} itself; an SOA record follows from the zone.`,
    { details: { type: 'bad_request' } },
  );
}

/** Removes records of the service: they have no rows, but clients send the whole recordset. */
function withoutProvided(
  contents: readonly RecordContent[],
  { records }: RecordsetUpdate,
  provided: readonly string[],
): readonly RecordContent[] {
  const written = new Set(contents.map(({ data }) => data.toLowerCase()));
  const missing = provided.find((data) => !written.has(data));
  if (records !== undefined && missing !== undefined) {
    const message = `records lacks ${JSON.stringify(missing)}, which the service provides in every zone; add to those.`;
    throw invalidRequest([{ path: 'records', validator: 'required', message }]);
  }
  return contents.filter(({ data }) => !provided.includes(data.toLowerCase()));
}

/** A TTL or description that the change does not say stays with each record as it was. */
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

/** New rows whose ids are in the order in which the records were written, by which lists show those of one moment. */
function createAll(zone: LockedZone, contents: readonly RecordContent[]) {
  const ids = contents.map(() => randomUUID()).toSorted();
  return contents.map((content, at) => {
    const { after } = creation(zone, content);
    return { before: undefined, after: { ...after, id: ids[at] ?? after.id } };
  });
}

async function applyChanges(
  work: UnitOfWork,
  zone: LockedZone,
  {
    changes,
    contents,
  }: {
    readonly changes: readonly RecordChange[];
    readonly contents: readonly RecordContent[];
  },
): Promise<Zone> {
  const judged = await checkChanges(work, zone, changes, {
    placeViolation: (violation) => placeViolation(contents, violation),
  });
  return await writeChanges(work, zone, judged);
}

/** Has a violation say which of the records it is about. */
function placeViolation(contents: readonly RecordContent[], violation: Violation): Violation {
  const digest = violation.change.after?.digest;
  const at = contents.findIndex((each) => digest?.equals(each.digest) === true);
  return { ...violation, problem: problemAt(violation.problem, at) };
}

function byAge(one: ZoneRecord, other: ZoneRecord): number {
  return `${one.createdAt} ${one.id}` < `${other.createdAt} ${other.id}` ? -1 : 1;
}
