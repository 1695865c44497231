import { type RecordChange, served } from '../checks/record-change.js';
import type { NeighbourNames, Neighbours, ZoneReader } from './neighbour-store.js';
import type { ZoneRecord } from '../rows/record.js';
import { recordsetId, type RecordsetKey } from '../rows/recordset.js';
import type { RecordKey } from '../rows/record-store.js';
import type { RowChanges } from './commit/record-rows.js';
import type { LockedZone } from '../rows/zone.js';
import type { ReadSet } from './update-ground-store.js';
import { PROVIDED_TYPES, ZoneView } from './zone-view.js';

/** Types whose rules ask for other zones, or for names below. */
const LOOKS_ELSEWHERE: ReadonlySet<string> = new Set(['MX', 'DS', 'DNAME']);

/** Data for consecutive updates of one zone: the records that were read for all of them, with the changes of earlier ones. */
export class ZoneSnapshot implements ZoneReader {
  readonly #ground: ReadSet;
  readonly #before: ReadonlyMap<string, ZoneRecord>;
  /** The records as they are, by name and id. */
  readonly #names = new Map<string, Map<string, ZoneRecord>>();

  /** DNAME records at the names and above, by id. */
  readonly #dnames: Map<string, RecordKey>;
  /** Ids of recordsets, by name and type. */
  readonly #recordsetIds = new Map<string, string>();

  constructor(ground: ReadSet) {
    this.#ground = ground;
    this.#dnames = new Map(ground.dnames.map((record) => [record.id, record]));
    this.#before = new Map(ground.records.map((record) => [record.id, record]));
    for (const record of ground.records) this.#put(record);
  }

  /** A record that was asked for, as it is, switched off or not. */
  find(id: string | undefined): ZoneRecord | undefined {
    if (id === undefined) return undefined;
    for (const records of this.#names.values()) {
      const record = records.get(id);
      if (record !== undefined) return record;
    }
    return this.#ground.disabled.find((record) => record.id === id);
  }

  /** A recordset that was asked for and has records now, or that the service provides. */
  findRecordset(id: string | undefined): RecordsetKey | undefined {
    if (id === undefined) return undefined;
    const { zone } = this.#ground;
    const provided = PROVIDED_TYPES.map((type) => ({ name: zone.name, type }));
    for (const key of [...provided, ...this.#at(this.#names.keys())]) {
      if (this.#idOf(key) === id.toLowerCase()) return { name: key.name, type: key.type };
    }
    return undefined;
  }

  /** Whether the rules find all that they ask for about a change in what was read. */
  covers(change: RecordChange): boolean {
    const { before, after } = served(change);
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
      this.#names.get(before.name)?.delete(before.id);
      this.#dnames.delete(before.id);
    }
    for (const { after } of changes) if (after !== undefined) this.#put(after);
  }

  /** Returns the difference that all changes make, without states in between. */
  get difference(): RowChanges {
    const now = [...this.#names.values()].flatMap((records) => [...records.values()]);
    const come = now.filter((record) => this.#before.get(record.id) !== record);
    const kept = new Set(now);
    const gone = this.#ground.records.filter((record) => !kept.has(record));
    return { gone, come };
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
  }

  *#at(names: Iterable<string>): Iterable<ZoneRecord> {
    for (const name of names) yield* this.#names.get(name)?.values() ?? [];
  }
}
