import { forEachInSlices } from '@zonewright/service-kit';
import type { RecordChange } from '../changes/record-change.js';
import { isServed } from '../../rows/record.js';
import type { RecordKey } from '../../rows/record-store.js';

/** What stands at each name once all changes are made. */
export type FutureNames = ReadonlyMap<string, FutureName>;

/** One name, indexed so that judging a record does not mean looking at all others. */
interface FutureName {
  /** Which was there before the others: of records that cannot stand together it stays. */
  readonly first: RecordKey | undefined;
  readonly hasAlias: boolean;
  readonly hasAddress: boolean;
  readonly hasDelegation: boolean;
  /** The first record of a type and rdata, by `rdataKey`. */
  readonly firstOf: ReadonlyMap<string, RecordKey>;
}

/** Equal for records at one name that are equal. */
export function rdataKey({ type, digest }: Pick<RecordKey, 'type' | 'digest'>): string {
  return `${type} ${digest.toString('base64')}`;
}

/** The names at which the changes leave a record. */
export function namesOf(changes: readonly RecordChange[]): string[] {
  return changes.flatMap(({ after }) => after?.name ?? []);
}

/** What the changes make of the records that are stored. */
export async function toFutureNames(
  changes: readonly RecordChange[],
  stored: readonly RecordKey[],
): Promise<FutureNames> {
  const come = changes.flatMap(({ after }) => after ?? []).filter(isServed);
  const gone = new Set(changes.flatMap(({ before }) => before?.id ?? []));
  return await indexByName([...stored.filter(({ id }) => !gone.has(id)), ...come]);
}

/** Of equal records the first counts: give those that are there before those that come. */
export async function indexByName(records: readonly RecordKey[]): Promise<FutureNames> {
  const byName = new Map<string, RecordKey[]>();
  await forEachInSlices(records, (record) => {
    const atName = byName.get(record.name);
    if (atName === undefined) byName.set(record.name, [record]);
    else atName.push(record);
  });
  const names = new Map<string, FutureName>();
  await forEachInSlices(byName, ([name, atName]) => names.set(name, indexName(atName)));
  return names;
}

function indexName(records: readonly RecordKey[]): FutureName {
  const firstOf = new Map<string, RecordKey>();
  for (const record of records) {
    const key = rdataKey(record);
    if (!firstOf.has(key)) firstOf.set(key, record);
  }
  return {
    first: records[0],
    hasAlias: records.some(({ type }) => type === 'CNAME'),
    hasAddress: records.some(({ type }) => type === 'A' || type === 'AAAA'),
    hasDelegation: records.some(({ type }) => type === 'NS'),
    firstOf,
  };
}
