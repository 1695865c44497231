import type { Database } from '@zonewright/database';
import type { Zone } from '../domains/zone.js';
import type { RecordChange } from './record-change.js';
import { listRecordKeys, type RecordKey } from './record-store.js';

/** What stands at each name once all changes are made. */
export type FutureNames = ReadonlyMap<string, FutureName>;

/** One name, indexed so that judging a record does not mean looking at all others. */
interface FutureName {
  /** Which was there before the others: of records that cannot stand together it stays. */
  readonly first: RecordKey | undefined;
  readonly hasAlias: boolean;
  readonly hasAddress: boolean;
  /** The first record of a type and rdata, by `rdataKey`. */
  readonly firstOf: ReadonlyMap<string, RecordKey>;
}

/** Equal for records at one name that are equal. */
export function rdataKey({ type, digest }: Pick<RecordKey, 'type' | 'digest'>): string {
  return `${type} ${digest.toString('base64')}`;
}

/** The names that the changes touch, and those in `alsoNames`, as they will be. */
export async function loadFutureNames(
  trx: Database,
  zone: Zone,
  changes: readonly RecordChange[],
  alsoNames: readonly string[],
): Promise<FutureNames> {
  const come = changes.flatMap(({ after }) => after ?? []);
  const gone = new Set(changes.flatMap(({ before }) => before?.id ?? []));
  const names = [...new Set([...come.map(({ name }) => name), ...alsoNames])];
  const stored = await listRecordKeys(trx, zone.id, names);
  return indexByName([...stored.filter(({ id }) => !gone.has(id)), ...come]);
}

/** Of equal records the first counts: give those that are there before those that come. */
export function indexByName(records: readonly RecordKey[]): FutureNames {
  const byName = new Map<string, RecordKey[]>();
  for (const record of records) {
    const atName = byName.get(record.name);
    if (atName === undefined) byName.set(record.name, [record]);
    else atName.push(record);
  }
  return new Map([...byName].map(([name, atName]) => [name, indexName(atName)]));
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
    firstOf,
  };
}
