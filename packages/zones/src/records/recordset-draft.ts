import { DnsSyntaxError, toAsciiDomainName } from '@zonewright/dns-records';
import { invalidRequest, type Problem, problemsOf, ServiceError } from '@zonewright/service-kit';
import type { RecordContent } from '../rows/record.js';
import { newRecordContent } from './record-content.js';
import type { RecordsetKey } from '../rows/recordset.js';

/** Record of a recordset in a request, before validation. */
export interface RecordInput {
  readonly data: unknown;
  readonly priority: unknown;
}

/** Recordset in a request. Only the type of `records`, a list, has been checked. */
export interface RecordsetInput {
  readonly name: unknown;
  readonly type: unknown;
  readonly ttl: unknown;
  readonly description: unknown;
  readonly records: readonly RecordInput[];
  /** Problems of the format. */
  readonly problems: readonly Problem[];
}

/** Members that belong to a single record, not to the recordset. */
const OF_ONE: ReadonlySet<string> = new Set(['data', 'priority']);

/** Returns the contents of a recordset's records in order. @throws ServiceError `invalid` with all problems */
export function recordsetContents(draft: RecordsetInput, zoneName: string): RecordContent[] {
  const problems = new Map(draft.problems.map((problem) => [JSON.stringify(problem), problem]));
  const contents: RecordContent[] = [];
  let isLocation = draft.problems.length === 0;
  for (const [at, record] of draft.records.entries()) {
    try {
      contents.push(readOne(draft, record, zoneName));
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      isLocation &&= (error.details as { subject?: string }).subject === 'record-location';
      for (const problem of problemsOf(error)) {
        const placed = problemAt(problem, at);
        problems.set(JSON.stringify(placed), placed);
      }
    }
  }
  const all = [...problems.values(), ...findTwins(contents)];
  if (all.length > 0) throw invalidRequest(all, isLocation ? 'record-location' : undefined);
  return contents;
}

/** Returns the path of a record's problem in the recordset. */
export function problemAt(problem: Problem, at: number): Problem {
  return OF_ONE.has(problem.path) ? { ...problem, path: `records[${at}]` } : problem;
}

function readOne(
  { name, type, ttl, description }: RecordsetInput,
  { data, priority }: RecordInput,
  zoneName: string,
): RecordContent {
  return newRecordContent(
    { values: { name, type, ttl, description, data, priority }, problems: [] },
    zoneName,
    'all',
  );
}

function findTwins(contents: readonly RecordContent[]): Problem[] {
  const first = new Map<string, number>();
  return contents.flatMap(({ digest }, at) => {
    const key = digest.toString('base64');
    const before = first.get(key);
    if (before === undefined) {
      first.set(key, at);
      return [];
    }
    const message = `records[${at}] is the same as records[${before}]; give each record once.`;
    return [{ path: `records[${at}]`, validator: 'unique', message }];
  });
}

/** Checks that name and type of a recordset do not change. */
export function checkSameKey(draft: Pick<RecordsetInput, 'name' | 'type'>, key: RecordsetKey) {
  return (['name', 'type'] as const).flatMap((path): Problem[] => {
    const given = draft[path];
    const isSame =
      given === undefined ||
      given === key[path] ||
      (path === 'name' && isSameOwnerName(given, key.name));
    if (isSame) return [];
    const message = `${path} cannot be changed; it is ${JSON.stringify(key[path])}. Create a recordset of the new ${path} instead.`;
    return [{ path, validator: 'readOnly', message }];
  });
}

/** Whether a text is another notation of a canonical name. */
function isSameOwnerName(text: unknown, name: string): boolean {
  if (typeof text !== 'string') return false;
  try {
    return toAsciiDomainName(text) === name;
  } catch (error) {
    if (!(error instanceof DnsSyntaxError)) throw error;
    return false;
  }
}
