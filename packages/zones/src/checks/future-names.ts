import { forEachInSlices } from '@zonewright/service-kit';
import type { MxTargetCheck } from '../request/rules.js';
import type { RecordKey } from '../rows/record-store.js';
import type { LockedZone } from '../rows/zone.js';
import { type RecordChange, served } from './record-change.js';

/** Source of a child zone's records: this service, or its primaries. */
export type ChildZone = 'hosted' | 'secondary';

/** Order of new DNAME records and the names below them. It is empty if the changes begin to serve no DNAME record. */
export interface DnameFacts {
  /** First name below each owner of a new DNAME record. */
  readonly occluded: ReadonlyMap<string, { readonly name: string; readonly position: number }>;
  /** Position among the changes of each record that they begin to serve, by its id. */
  readonly positions: ReadonlyMap<string, number>;
}

/** Facts that rules compare a change with. */
export interface RuleFacts {
  readonly zone: LockedZone;
  /** Served records of this zone at the names that rules ask for, after all changes. Names above these count only for their DNAME records. */
  readonly future: FutureNames;
  /** Zones of this service below the zone, or at least those of possibleChildZones. */
  readonly childZones: ReadonlyMap<string, ChildZone>;
  readonly dnames: DnameFacts;
  readonly mxTargetCheck: MxTargetCheck;
  /** Served records of the zone that a mail target is in; no entry if this service does not have that zone. */
  readonly mailHosts: ReadonlyMap<string, FutureNames>;
}

/** Served records at each name after all changes. */
export type FutureNames = ReadonlyMap<string, FutureName>;

/** Records of one name, indexed: a check of one of them does not look at all others. */
interface FutureName {
  /** The record that was there before the others: of records that exclude each other it stays. */
  readonly first: RecordKey | undefined;
  readonly hasAlias: boolean;
  /** Its first DNAME record. */
  readonly dname: RecordKey | undefined;
  readonly hasAddress: boolean;
  readonly hasDelegation: boolean;
  /** First record of a type and rdata, by `rdataKey`. */
  readonly firstOf: ReadonlyMap<string, RecordKey>;
  readonly rrsets: ReadonlyMap<string, FutureRrset>;
}

interface FutureRrset {
  readonly records: number;
  /** Their bytes in an answer. */
  readonly octets: number;
  /** Position of the first among all records of the name. */
  readonly first: number;
}

/** Bytes of a record in an answer beside its rdata: a pointer to the name, type, class, TTL and length. */
const ANSWER_RECORD_OCTETS = 12;

/** Key that is equal for equal records of one name. */
export function rdataKey({ type, digest }: Pick<RecordKey, 'type' | 'digest'>): string {
  return `${type} ${digest.toString('base64')}`;
}

/** Names at which the changes leave a served record. */
export function servedNames(changes: readonly RecordChange[]): string[] {
  return changes.flatMap((change) => served(change).after?.name ?? []);
}

/** Names as the changes leave them, from the records that are stored. */
export async function toFutureNames(
  changes: readonly RecordChange[],
  stored: readonly RecordKey[],
): Promise<FutureNames> {
  const come = changes.flatMap((change) => served(change).after ?? []);
  const gone = new Set(changes.flatMap(({ before }) => before?.id ?? []));
  return await indexByName([...stored.filter(({ id }) => !gone.has(id)), ...come]);
}

/** Indexes records by name. The first of equal records counts: pass stored records before new ones. */
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
