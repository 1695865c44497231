import type { Database } from '@zonewright/database';
import { listRecordsNamed } from '../../rows/record-store.js';
import type { ZoneRecord } from '../../rows/record.js';
import type { Zone } from '../../rows/zone.js';
import { listNeighbours, type Neighbours, type WantedNames } from './neighbour-store.js';

/** Reads what checks compare changes of a zone with. */
export interface ZoneReader {
  readonly neighbours: (wanted: WantedNames) => Neighbours | Promise<Neighbours>;
  /** All served records at these names. */
  readonly recordsAt: (
    names: readonly string[],
  ) => readonly ZoneRecord[] | Promise<readonly ZoneRecord[]>;
}

export function readFrom(db: Database, zone: Pick<Zone, 'id' | 'name'>): ZoneReader {
  return {
    neighbours: (wanted) => listNeighbours(db, zone, wanted),
    recordsAt: (names) => listRecordsNamed(db, zone.id, names),
  };
}
