import {
  forEachInSlices,
  invalidRequest,
  isUuid,
  mapInSlices,
  MAX_PROBLEMS,
  type Problem,
} from '@zonewright/service-kit';
import {
  type Batch,
  type BatchItem,
  type BatchResult,
  itemPath,
  planBatch,
} from '@zonewright/zones';
import { checkFlag, checkMembers, readFlag } from '../http/members.js';
import type { Context } from '../context/context.js';
import { changeRecords, membersOf, nameOf } from '../http/change-records.js';
import type { Operation, TenantRequest } from '../http/operation.js';
import { FLAG } from '../http/parameters.js';
import { jsonReply, type StoredReply } from '../http/reply.js';
import {
  readNewRecord,
  readRecordUpdate,
  renderListedRecord,
  renderOutcome,
} from './record-form.js';

export const BATCH_OPERATIONS: readonly Operation[] = [
  {
    id: 'changeRecords',
    name: 'Change Records in a Batch',
    method: 'POST',
    path: '/v1/domains/{domainId}/batch',
    hasTag: true,
    access: 'tenant',
    restricted: 'by-rules',
    body: 'json-batch',
    isLong: true,
    source: 'batch',
    reads: 'Batch',
    answers: 'BatchResult',
    query: { extended: FLAG },
    faults: [409],
    handle: changeInBatch,
  },
];

async function changeInBatch(context: Context, request: TenantRequest): Promise<StoredReply> {
  const { body, query, headers } = request;
  const hasFlags = readFlag(query, 'extended');
  return await changeRecords(context, request, {
    ifMatch: headers.ifMatch,
    ...(await findNamed(body)),
    plan: async (state) => {
      const { report, ...planned } = await planBatch(state, await readBatch(body));
      return { ...planned, made: report };
    },
    render: async (report, serial) => jsonReply(await renderBatch(report(), serial, hasFlags)),
  });
}

/** Finds the names and ids in a body that has not been validated yet. */
async function findNamed(body: unknown) {
  const { operations } = membersOf(body);
  const items = Array.isArray(operations) ? operations.slice(0, MAX_ITEMS) : [];
  const named = await mapInSlices(items.map(membersOf), ({ id, record }) => ({
    names: nameOf(record),
    recordIds: typeof id === 'string' && isUuid(id) ? [id.toLowerCase()] : [],
  }));
  return {
    names: [...new Set(named.flatMap(({ names }) => names))],
    recordIds: named.flatMap(({ recordIds }) => recordIds),
  };
}

/** An item of a body whose form is valid. Its record has not been checked. */
interface Item {
  readonly action: BatchItem['action'];
  readonly id: string;
  readonly if_version?: number;
  readonly record: unknown;
}

/** Maximum number of items in one transaction and one response. */
const MAX_ITEMS = 10_000;

const MEMBERS_BY_ACTION: ReadonlyMap<unknown, readonly string[]> = new Map([
  ['create', ['action', 'record']],
  ['update', ['action', 'id', 'if_version', 'record']],
  ['delete', ['action', 'id', 'if_version']],
]);

/** Reads the body of a batch. @throws ServiceError `invalid` with all problems of its form. */
async function readBatch(body: unknown): Promise<Batch> {
  const { values, problems } = checkMembers(body, ['operations', 'atomic', 'confirm']);
  const { operations, atomic = true, confirm = false } = values;
  const all = [
    ...problems,
    ...checkFlag('atomic', atomic),
    ...checkFlag('confirm', confirm),
    ...(await checkItems(operations)),
  ];
  if (all.length > 0) throw invalidRequest(all);
  return {
    items: await mapInSlices(operations as Item[], toBatchItem),
    atomic: atomic as boolean,
    confirm: confirm as boolean,
  };
}

function toBatchItem({ action, id, if_version: ifVersion, record }: Item): BatchItem {
  switch (action) {
    case 'create':
      return { action, read: ({ name }) => readNewRecord(record, name, 'all') };
    case 'update':
      return {
        action,
        id,
        ifVersion,
        read: ({ name }, stored) =>
          readRecordUpdate(record, stored, { zoneName: name, known: 'all' }),
      };
    case 'delete':
      return { action, id, ifVersion };
  }
}

async function checkItems(operations: unknown): Promise<Problem[]> {
  if (!Array.isArray(operations) || operations.length === 0 || operations.length > MAX_ITEMS) {
    const message = `operations must be an array of 1 to ${MAX_ITEMS} operations.`;
    return [{ path: 'operations', validator: 'type', message }];
  }
  const seen = new Set<string>();
  const problems: Problem[] = [];
  await forEachInSlices((operations as unknown[]).entries(), ([at, item]) => {
    // One problem above the maximum shows that there are more.
    if (problems.length > MAX_PROBLEMS) return;
    const path = `operations[${at}]`;
    const own = checkItem(item, path);
    problems.push(...own);
    const { id } = (own.length === 0 ? item : {}) as { id?: string };
    if (id === undefined) return;
    if (seen.has(id.toLowerCase())) {
      const message =
        'id is used by an earlier operation; a batch can change each record only once.';
      problems.push({ path: `${path}.id`, validator: 'unique', message });
    }
    seen.add(id.toLowerCase());
  });
  return problems;
}

function checkItem(item: unknown, path: string): Problem[] {
  const { action, id } = (item ?? {}) as { action?: unknown; id?: unknown };
  const members = MEMBERS_BY_ACTION.get(action);
  if (members === undefined) {
    const message = `action must be one of ${[...MEMBERS_BY_ACTION.keys()].join(', ')}.`;
    return [{ path: `${path}.action`, validator: 'enum', message }];
  }
  const { values, problems } = checkMembers(item, members);
  const known = problems.map((problem) => ({ ...problem, path: `${path}.${problem.path}` }));
  if (action === 'create') return known;
  return [...known, ...checkVersion(values['if_version'], path), ...checkId(id, path)];
}

function checkId(id: unknown, path: string): Problem[] {
  if (typeof id === 'string' && isUuid(id)) return [];
  return [{ path: `${path}.id`, validator: 'format', message: 'id must be the id of a record.' }];
}

function checkVersion(version: unknown, path: string): Problem[] {
  if (version === undefined || (Number.isSafeInteger(version) && (version as number) > 0)) {
    return [];
  }
  const message = 'if_version must be the version of the record, an integer of at least 1.';
  return [{ path: `${path}.if_version`, validator: 'type', message }];
}

/** Renders the response to a batch: the serial, and the outcome of each item in order. */
async function renderBatch(
  { zone, outcomes, refusal }: BatchResult,
  serial: number,
  hasFlags: boolean,
) {
  const done = refusal === undefined ? 'done' : 'would_do';
  return {
    ...renderOutcome(refusal),
    serial,
    results: await mapInSlices(outcomes.entries(), ([at, { item, change, record, problems }]) => ({
      action: item.action,
      status: problems.length > 0 ? 'refused' : change === undefined ? 'unchanged' : done,
      record: record === undefined ? null : renderListedRecord(record, zone.tenantId, hasFlags),
      errors: problems.map((problem) => ({ ...problem, path: itemPath(at, problem.path) })),
    })),
  };
}
