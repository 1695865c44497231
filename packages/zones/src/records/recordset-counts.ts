import type { Database } from '@zonewright/database';
import { BoundedMap } from '@zonewright/service-kit';
import type { ViewedZone } from './get-record.js';
import type { Zone } from '../rows/zone.js';
import { listManaged } from '../write/zone-view.js';
import { conditionOf, matchesManaged, type RecordsetFilter } from './recordset-filter.js';
import { countKeys } from './recordset-store.js';

const MAX_KEPT = 10_000;

/**
 * Cache of the number of recordsets in a list. Each change of a zone changes its serial, so a count is valid for a zone
 * and serial. The index of a large zone is read once for each version.
 */
export class RecordsetCounts {
  readonly #db: Database;
  /** Counts in the order of use. */
  readonly #kept = new BoundedMap<string, Promise<number>>(MAX_KEPT);

  constructor(db: Database) {
    this.#db = db;
  }

  /**
   * Counts the recordsets of a zone that was read for the same request. Counts for unrestricted callers are not used
   * for a restricted key.
   */
  async count(viewed: ViewedZone<Zone>, filter: RecordsetFilter): Promise<number> {
    const { viewer, zone } = viewed;
    if (viewer.key?.rules !== undefined) return await this.#read(viewed, filter);
    const key = JSON.stringify([zone.id, zone.serial, filter]);
    const kept = this.#kept.get(key) ?? this.#read(viewed, filter);
    this.#kept.set(key, kept);
    try {
      return await kept;
    } catch (error) {
      this.#kept.delete(key);
      throw error;
    }
  }

  async #read(viewed: ViewedZone<Zone>, filter: RecordsetFilter): Promise<number> {
    const { zone } = viewed;
    const provided = [...(await listManaged(this.#db, zone))];
    const condition = conditionOf(viewed, filter, provided.length > 0);
    const stored = await countKeys(this.#db, zone.id, condition);
    return (
      stored + provided.filter(([type, data]) => matchesManaged(viewed, filter, type, data)).length
    );
  }
}
