import { type RecordChange, served } from '../checks/record-change.js';
import type { NeighbourNames, Neighbours, ZoneReader } from './neighbour-store.js';
import type { ZoneRecord } from '../rows/record.js';
import { recordsetId, type RecordsetKey } from '../rows/recordset.js';
import type { RecordKey } from '../rows/record-store.js';
import type { RowChanges } from './commit/record-rows.js';
import type { LockedZone } from '../rows/zone.js';
import type { ReadSet } from './update-ground-store.js';
import { APEX_TYPES, ZoneView } from './zone-view.js';

/** Types whose rules ask for other zones, or for names below. */
const LOOKS_ELSEWHERE: ReadonlySet<string> = new Set(['MX', 'DNAME']);

/** Data for consecutive updates of one zone: the records that were read for all of them, with the changes of earlier ones. */
export class ZoneSnapshot implements ZoneReader {
  readonly #ground: ReadSet;
  /** The records as they are, by id, and by name and id. A name stays when its records have gone. */
  readonly #records = new Map<string, ZoneRecord>();
  readonly #names = new Map<string, Map<string, ZoneRecord>>();
  /** DNAME records at the names and above, by id. */
  readonly #dnames: Map<string, RecordKey>;
  /** Ids of recordsets, by name and type. */
  readonly #recordsetIds = new Map<string, string>();

  constructor(ground: ReadSet) {
    this.#ground = ground;
    this.#dnames = new Map(ground.dnames.map((record) => [record.id, record]));
    for (const record of ground.records) this.#put(record);
  }

  /** A record that was asked for, as it is, switched off or not. */
  find(id: string): ZoneRecord | undefined {
    return this.#records.get(id) ?? this.#ground.disabled.find((record) => record.id === id);
  }

  /** A recordset that was asked for and has records now, or that the service provides. */
  findRecordset(id: string | undefined): RecordsetKey | undefined {
    if (id === undefined) return undefined;
    const { zone } = this.#ground;
    const provided = APEX_TYPES.map((type) => ({ name: zone.name, type }));
    for (const key of [...provided, ...this.#at(this.#names.keys())]) {
      if (this.#idOf(key) === id.toLowerCase()) return { name: key.name, type: key.type };
    }
    return undefined;
  }

  /** Whether the rules find all that they ask for about a change in what was read. */
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

  /** Returns the records at names that were read; the zones are those of all names. */
  readonly neighbours = ({ recordNames }: NeighbourNames): Neighbours => {
    const names = new Set(recordNames);
    const dnames = [...this.#dnames.values()].filter(({ name }) => !names.has(name));
    return {
      records: [...this.#at(names), ...dnames],
      childZones: this.#ground.childZones,
    };
  };

  /** Changes that bring DNAME records read the zone themselves. */
  readonly recordsBelow = (): never => {
    throw new Error('Records below names are not read.');
  };

  /** All records at names that were read. */
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

  /** Returns the difference that all changes make, without states in between. */
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
