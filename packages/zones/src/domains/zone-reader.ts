import type { Database } from '@zonewright/database';
import { isUuid } from '@zonewright/service-kit';
import { mayUseZone } from '../access/key-rules.js';
import type { Viewer } from '../request/caller.js';
import { zoneNotFound } from '../rows/get-zone.js';
import type { Zone } from '../rows/zone.js';
import { listZonesById } from '../rows/zone-store.js';

/** A statement that is about to be sent: which zones, and who waits for it. */
interface Look {
  readonly ids: Set<string>;
  readonly zones: Promise<ReadonlyMap<string, Zone>>;
}

/** While so many statements are under way, others gather into the next one: fewer statements, each for more requests. */
const MAX_UNDER_WAY = 2;

/**
 * Reads zones for requests that change nothing. Each starts with the row of its zone. Requests that arrive in one turn of the event loop
 * share a statement, which halves the cost of short requests under load. A request never joins a statement that was already sent, so it
 * sees everything that was committed before it arrived.
 */
export class ZoneReader {
  readonly #db: Database;
  #next: Look | undefined;
  #underWay = 0;
  /** Sends the next statement, when another has been answered. */
  #sendNext: (() => void) | undefined;

  constructor(db: Database) {
    this.#db = db;
  }

  /** The living zone of that id, if the viewer may know of it. @throws ServiceError `not-found`. */
  async get(viewer: Viewer, id: string): Promise<Zone> {
    if (!isUuid(id)) throw zoneNotFound();
    // PostgreSQL gives UUIDs in lower case.
    const canonicalId = id.toLowerCase();
    const look = (this.#next ??= this.#prepare());
    look.ids.add(canonicalId);
    const zone = (await look.zones).get(canonicalId);
    if (zone?.tenantId !== viewer.tenantId || !mayUseZone(viewer, zone)) throw zoneNotFound();
    return zone;
  }

  #prepare(): Look {
    const ids = new Set<string>();
    const turn = new Promise<void>((resolve) => {
      setImmediate(() => {
        if (this.#underWay < MAX_UNDER_WAY) resolve();
        else this.#sendNext = resolve;
      });
    });
    return { ids, zones: turn.then(() => this.#look(ids)) };
  }

  async #look(ids: ReadonlySet<string>): Promise<ReadonlyMap<string, Zone>> {
    this.#next = undefined;
    this.#underWay += 1;
    try {
      const found = await listZonesById(this.#db, [...ids]);
      return new Map(found.map((zone) => [zone.id, zone]));
    } finally {
      this.#underWay -= 1;
      this.#sendNext?.();
      this.#sendNext = undefined;
    }
  }
}
