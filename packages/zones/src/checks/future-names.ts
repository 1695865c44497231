import { forEachInSlices } from '@zonewright/service-kit';
import type { MxTargetCheck } from '../request/rules.js';
import type { ZoneRecord } from '../rows/record.js';
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
  /** Whether a mail target without an address is a warning. */
  readonly warnsOfMailTargets: boolean;
  /** Served records of the zone that contains a mail target. Missing if the zone is not hosted here. */
  readonly mailHosts: ReadonlyMap<string, FutureNames>;
}

/** Served records at each name after all changes. */
export type FutureNames = ReadonlyMap<string, FutureName>;

/** Records of one name, which the rules look up. Most names of a large change have one record, which needs no index. */
class FutureName {
  readonly #records: RecordKey[] = [];
  #rrsets: ReadonlyMap<string, FutureRrset> | undefined;
  #firstOf: ReadonlyMap<string, RecordKey> | undefined;

  /** Adds a record before the first look-up. */
  add(record: RecordKey): void {
    this.#records.push(record);
  }

  /** The record that existed before the others. If records exclude each other, it stays. */
  get first(): RecordKey | undefined {
    return this.#records[0];
  }

  /** First DNAME record of the name. */
  get dname(): RecordKey | undefined {
    return this.#records[this.rrset('DNAME')?.first ?? -1];
  }

  get hasAlias(): boolean {
    return this.rrset('CNAME') !== undefined;
  }

  get hasAddress(): boolean {
    return (this.rrset('A') ?? this.rrset('AAAA')) !== undefined;
  }

  get hasDelegation(): boolean {
    return this.rrset('NS') !== undefined;
  }

  /** Returns the first record with the same type and rdata. */
  firstOf(record: Pick<RecordKey, 'type' | 'digest'>): RecordKey | undefined {
    this.#firstOf ??= new Map(this.#records.toReversed().map((each) => [rdataKey(each), each]));
    return this.#firstOf.get(rdataKey(record));
  }

  rrset(type: string): FutureRrset | undefined {
    const [only] = this.#records;
    if (only !== undefined && this.#records.length === 1) {
      return only.type === type ? { records: 1, octets: octetsOf(only), first: 0 } : undefined;
    }
    this.#rrsets ??= indexByType(this.#records);
    return this.#rrsets.get(type);
  }
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

function octetsOf({ rdata }: RecordKey): number {
  return ANSWER_RECORD_OCTETS + rdata.length;
}

function indexByType(records: readonly RecordKey[]): ReadonlyMap<string, FutureRrset> {
  const rrsets = new Map<string, { records: number; octets: number; first: number }>();
  for (const [at, record] of records.entries()) {
    const rrset = rrsets.get(record.type) ?? { records: 0, octets: 0, first: at };
    rrset.records += 1;
    rrset.octets += octetsOf(record);
    rrsets.set(record.type, rrset);
  }
  return rrsets;
}

/** Returns a key that is equal for equal records of one name. */
function rdataKey({ type, digest }: Pick<RecordKey, 'type' | 'digest'>): string {
  return `${type} ${digest.toString('latin1')}`;
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
  const gone = new Set<string>();
  const edited: ZoneRecord[] = [];
  const begun: ZoneRecord[] = [];
  await forEachInSlices(changes, (change) => {
    if (change.before !== undefined) gone.add(change.before.id);
    const { after } = served(change);
    if (after !== undefined) (beginning(change) === undefined ? edited : begun).push(after);
  });
  // A record that is edited stays before those that begin, wherever its change is.
  return await indexByName([...stored.filter(({ id }) => !gone.has(id)), ...edited, ...begun]);
}

/** Indexes records by name. The first of equal records counts, so stored records must precede new ones. */
export async function indexByName(records: readonly RecordKey[]): Promise<FutureNames> {
  const names = new Map<string, FutureName>();
  await forEachInSlices(records, (record) => {
    const known = names.get(record.name);
    const name = known ?? new FutureName();
    if (known === undefined) names.set(record.name, name);
    name.add(record);
  });
  return names;
}
