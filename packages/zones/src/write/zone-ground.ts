import { type RecordChange, served } from '../checks/record-change.js';
import type { NeighbourNames, Neighbours, ZoneReader } from './neighbour-store.js';
import type { ZoneRecord } from '../rows/record.js';
import { recordsetId, type RecordsetKey } from '../rows/recordset.js';
import type { RecordKey } from '../rows/record-store.js';
import type { RowChanges } from './commit/record-rows.js';
import type { LockedZone } from '../rows/zone.js';
import type { ReadSet } from './update-ground-store.js';
import { APEX_TYPES, ZoneView } from './zone-view.js';

/** The rules of these types depend on other zones, or on the names below. */
const LOOKS_ELSEWHERE: ReadonlySet<string> = new Set(['MX', 'DNAME']);

/**
 * The data for consecutive updates of one zone: the records that were read for all of them, with the changes of the
 * earlier updates.
 */
export class ZoneSnapshot implements ZoneReader {
  readonly #ground: ReadSet;
  /** The current records, by id, and by name and id. A name stays in the map when it has no records left. */
  readonly #records = new Map<string, ZoneRecord>();
  readonly #names = new Map<string, Map<string, ZoneRecord>>();
  /** The DNAME records at and above the names, by id. */
  readonly #dnames: Map<string, RecordKey>;
  /** The ids of recordsets, by name and type. */
  readonly #recordsetIds = new Map<string, string>();

  constructor(ground: ReadSet) {
    this.#ground = ground;
    this.#dnames = new Map(ground.dnames.map((record) => [record.id, record]));
    for (const record of ground.records) this.#put(record);
  }

  /** Returns the current state of a requested record, even if it is disabled. */
  find(id: string): ZoneRecord | undefined {
    return this.#records.get(id) ?? this.#ground.disabled.find((record) => record.id === id);
  }

  /** Returns a requested recordset if it has records now, or if the service provides it. */
  findRecordset(id: string | undefined): RecordsetKey | undefined {
    if (id === undefined) return undefined;
    const { zone } = this.#ground;
    const provided = APEX_TYPES.map((type) => ({ name: zone.name, type }));
    for (const key of [...provided, ...this.#at(this.#names.keys())]) {
      if (this.#idOf(key) === id.toLowerCase()) return { name: key.name, type: key.type };
    }
    return undefined;
  }

  /** Returns whether the data that was read is enough to check a change. */
  covers(change: RecordChange): boolean {
    const { before, after } = served(change);
    if (before !== undefined && !this.#names.has(before.name)) return false;
    if (after === undefined) return true;
    if (LOOKS_ELSEWHERE.has(after.type)) return false;
    return before?.name === after.name || this.#ground.names.has(after.name);
  }

  view(zone: LockedZone, names: readonly string[]): ZoneView {
    return new ZoneView(zone, this.#at(names), this.#ground.apex);
  }

  /** Returns the records at names that were read, and the zones at all of these names. */
  readonly neighbours = ({ recordNames }: NeighbourNames): Neighbours => {
    const names = new Set(recordNames);
    const dnames = [...this.#dnames.values()].filter(({ name }) => !names.has(name));
    return {
      records: [...this.#at(names), ...dnames],
      childZones: this.#ground.childZones,
    };
  };

  /** A change that adds DNAME records reads the zone itself, so this function is never needed. */
  readonly recordsBelow = (): never => {
    throw new Error('Records below names are not read.');
  };

  /** Returns all records at names that were read. */
  readonly recordsAt = (names: readonly string[]): readonly ZoneRecord[] => [
    ...this.#at(new Set(names)),
  ];

  take(changes: readonly RecordChange[]): void {
    for (const { before } of changes) {
      if (before === undefined) continue;
      this.#records.delete(before.id);
      this.#names.get(before.name)?.delete(before.id);
      this.#dnames.delete(before.id);
    }
    for (const { after } of changes) if (after !== undefined) this.#put(after);
  }

  /** Returns the total difference of all changes, without the states between them. */
  get difference(): RowChanges {
    const before = new Set(this.#ground.records);
    const now = new Set(this.#records.values());
    return {
      gone: this.#ground.records.filter((record) => !now.has(record)),
      come: [...now].filter((record) => !before.has(record)),
    };
  }

  #idOf({ name, type }: RecordsetKey): string {
    const key = `${name} ${type}`;
    const known = this.#recordsetIds.get(key) ?? recordsetId(this.#ground.zone.id, { name, type });
    this.#recordsetIds.set(key, known);
    return known;
  }

  #put(record: ZoneRecord): void {
    const records = this.#names.get(record.name) ?? new Map<string, ZoneRecord>();
    this.#names.set(record.name, records.set(record.id, record));
    this.#records.set(record.id, record);
  }

  *#at(names: Iterable<string>): Iterable<ZoneRecord> {
    for (const name of names) yield* this.#names.get(name)?.values() ?? [];
  }
}
