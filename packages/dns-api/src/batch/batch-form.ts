import { checkFlag } from '../http/flags.js';
import { checkMembers } from '../http/members.js';
import { invalidRequest, MAX_PROBLEMS, type Problem } from '../problem.js';
import { isUuid } from '../uuid.js';

/** One item of a batch, its form checked, its record not yet. */
export type BatchItem =
  | { readonly action: 'create'; readonly record: unknown }
  | { readonly action: 'update'; readonly id: string; readonly record: unknown }
  | { readonly action: 'delete'; readonly id: string };

export interface BatchRequest {
  readonly items: readonly BatchItem[];
  /** False: what can be done is done, and the rest is reported. */
  readonly atomic: boolean;
  /** See requireConfirmation. */
  readonly confirm: boolean;
}

/** What one transaction and one answer carry with ease. */
const MAX_ITEMS = 1_000;

const MEMBERS_BY_ACTION: ReadonlyMap<unknown, readonly string[]> = new Map([
  ['create', ['action', 'record']],
  ['update', ['action', 'id', 'record']],
  ['delete', ['action', 'id']],
]);

/** Reads the body of a batch. @throws ServiceError `invalid` with all problems of its form. */
export function readBatch(body: unknown): BatchRequest {
  const { values, problems } = checkMembers(body, ['operations', 'atomic', 'confirm']);
  const { operations, atomic = true, confirm = false } = values;
  const all = [
    ...problems,
    ...checkFlag('atomic', atomic),
    ...checkFlag('confirm', confirm),
    ...checkItems(operations),
  ];
  if (all.length > 0) throw invalidRequest(all);
  return {
    items: operations as BatchItem[],
    atomic: atomic as boolean,
    confirm: confirm as boolean,
  };
}

function checkItems(operations: unknown): Problem[] {
  if (!Array.isArray(operations) || operations.length === 0 || operations.length > MAX_ITEMS) {
    const message = `operations must be an array of 1 to ${MAX_ITEMS} operations.`;
    return [{ path: 'operations', validator: 'type', message }];
  }
  const seen = new Set<string>();
  const problems: Problem[] = [];
  for (const [at, item] of (operations as unknown[]).entries()) {
    // One more than are shown tells that there are more.
    if (problems.length > MAX_PROBLEMS) break;
    const path = `operations[${at}]`;
    const own = checkItem(item, path);
    problems.push(...own);
    const { id } = (own.length === 0 ? item : {}) as { id?: string };
    if (id === undefined) continue;
    if (seen.has(id.toLowerCase())) {
      const message = 'id was named by an earlier operation; a batch changes each record once.';
      problems.push({ path: `${path}.id`, validator: 'unique', message });
    }
    seen.add(id.toLowerCase());
  }
  return problems;
}

function checkItem(item: unknown, path: string): Problem[] {
  const { action, id } = (item ?? {}) as { action?: unknown; id?: unknown };
  const members = MEMBERS_BY_ACTION.get(action);
  if (members === undefined) {
    const message = `action must be one of ${[...MEMBERS_BY_ACTION.keys()].join(', ')}.`;
    return [{ path: `${path}.action`, validator: 'enum', message }];
  }
  const unknown = checkMembers(item, members).problems.map((problem) => ({
    ...problem,
    path: `${path}.${problem.path}`,
  }));
  if (action === 'create' || (typeof id === 'string' && isUuid(id))) return unknown;
  const message = 'id must be the id of a record.';
  return [...unknown, { path: `${path}.id`, validator: 'format', message }];
}
