import type { Database } from '@zonewright/database';
import { listRecordsNamed, type RecordKey } from '../../rows/record-store.js';
import type { ZoneRecord } from '../../rows/record.js';
import type { Zone } from '../../rows/zone.js';
import {
  listBelow,
  listNeighbours,
  type Neighbours,
  type NeighbourNames,
} from './neighbour-store.js';

/** Reads what checks compare changes of a zone with. */
export interface ZoneReader {
  readonly neighbours: (wanted: NeighbourNames) => Neighbours | Promise<Neighbours>;
  /** Some served records below each of these names, at least `limit` if there are as many. */
  readonly recordsBelow: (
    names: readonly string[],
    limit: number,
  ) =>
    | readonly Pick<RecordKey, 'id' | 'name'>[]
    | Promise<readonly Pick<RecordKey, 'id' | 'name'>[]>;
  /** All served records at these names. */
  readonly recordsAt: (
    names: readonly string[],
  ) => readonly ZoneRecord[] | Promise<readonly ZoneRecord[]>;
}

export function readFrom(db: Database, zone: Pick<Zone, 'id' | 'name'>): ZoneReader {
  return {
    neighbours: (wanted) => listNeighbours(db, zone, wanted),
    recordsBelow: (names, limit) => listBelow(db, zone.id, names, limit),
    recordsAt: (names) => listRecordsNamed(db, zone.id, names),
  };
}
