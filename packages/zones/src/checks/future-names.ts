import { forEachInSlices } from '@zonewright/service-kit';
import type { MxTargetCheck } from '../request/rules.js';
import type { RecordKey } from '../rows/record-store.js';
import type { LockedZone } from '../rows/zone.js';
import { beginning, type RecordChange, served } from './record-change.js';

/** Source of a child zone's records: this service, or its primaries. */
export type ChildZone = 'hosted' | 'secondary';

/** Order of new DNAME records and the names below them. Empty if the changes do not start to serve a DNAME record. */
export interface DnameFacts {
  /** First name below each owner of a new DNAME record. */
  readonly occluded: ReadonlyMap<string, { readonly name: string; readonly position: number }>;
  /** Position of each newly served record in the list of changes, by record id. */
  readonly positions: ReadonlyMap<string, number>;
}

/** Facts that rules compare a change with. */
export interface RuleFacts {
  readonly zone: LockedZone;
  /**
   * Served records of this zone after all changes, at the names that rules need. For ancestors of these names, only
   * DNAME records matter.
   */
  readonly future: FutureNames;
  /** Zones of this service below the zone; at least those of possibleChildZones. */
  readonly childZones: ReadonlyMap<string, ChildZone>;
  readonly dnames: DnameFacts;
  readonly mxTargetCheck: MxTargetCheck;
  /** Served records of the zone that contains a mail target. Missing if the zone is not hosted here. */
  readonly mailHosts: ReadonlyMap<string, FutureNames>;
}

/** Served records at each name after all changes. */
export type FutureNames = ReadonlyMap<string, FutureName>;

/** Records of one name with an index, so that checking one record does not read all others. */
interface FutureName {
  /** The record that existed before the others. If records exclude each other, it stays. */
  readonly first: RecordKey | undefined;
  readonly hasAlias: boolean;
  /** First DNAME record of the name. */
  readonly dname: RecordKey | undefined;
  readonly hasAddress: boolean;
  readonly hasDelegation: boolean;
  /** First record of a type and rdata, by `rdataKey`. */
  readonly firstOf: ReadonlyMap<string, RecordKey>;
  readonly rrsets: ReadonlyMap<string, FutureRrset>;
}

interface FutureRrset {
  readonly records: number;
  /** Size of the records in a response, in bytes. */
  readonly octets: number;
  /** Position of the first record among all records of the name. */
  readonly first: number;
}

/** Size of a record in a response without its rdata, in bytes: a pointer to the name, type, class, TTL and length. */
const ANSWER_RECORD_OCTETS = 12;

/** Returns a key that is equal for equal records of one name. */
export function rdataKey({ type, digest }: Pick<RecordKey, 'type' | 'digest'>): string {
  return `${type} ${digest.toString('base64')}`;
}

/** Returns names at which the changes leave a served record. */
export function servedNames(changes: readonly RecordChange[]): string[] {
  return changes.flatMap((change) => served(change).after?.name ?? []);
}

/** Returns the names after the changes, given the stored records. */
export async function toFutureNames(
  changes: readonly RecordChange[],
  stored: readonly RecordKey[],
): Promise<FutureNames> {
  const gone = new Set(changes.flatMap(({ before }) => before?.id ?? []));
  const begun = new Set(changes.flatMap((change) => beginning(change) ?? []));
  const come = changes.flatMap((change) => served(change).after ?? []);
  // A record that is edited stays before those that begin, wherever its change is.
  const edited = come.filter((record) => !begun.has(record));
  return await indexByName([...stored.filter(({ id }) => !gone.has(id)), ...edited, ...begun]);
}

/** Indexes records by name. The first of equal records counts, so stored records must precede new ones. */
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
  const rrsets = new Map<string, { records: number; octets: number; first: number }>();
  for (const [at, record] of records.entries()) {
    const key = rdataKey(record);
    if (!firstOf.has(key)) firstOf.set(key, record);
    const rrset = rrsets.get(record.type) ?? { records: 0, octets: 0, first: at };
    rrset.records += 1;
    rrset.octets += ANSWER_RECORD_OCTETS + record.rdata.length;
    rrsets.set(record.type, rrset);
  }
  return {
    first: records[0],
    hasAlias: rrsets.has('CNAME'),
    dname: records[rrsets.get('DNAME')?.first ?? -1],
    hasAddress: rrsets.has('A') || rrsets.has('AAAA'),
    hasDelegation: rrsets.has('NS'),
    firstOf,
    rrsets,
  };
}
