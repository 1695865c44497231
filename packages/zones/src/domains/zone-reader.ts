import type { Database } from '@zonewright/database';
import { Batcher, BoundedMap, isUuid } from '@zonewright/service-kit';
import type { Viewer } from '../request/caller.js';
import { zoneNotFound } from '../rows/get-zone.js';
import { mayUseZone } from '../rows/key-rules.js';
import { listZonesById, listZonesNamed } from '../rows/zone-store.js';
import type { Zone } from '../rows/zone.js';

/** Statement that is about to be sent: its zones, and the requests that wait for it. */
interface Look {
  readonly ids: Set<string>;
  readonly zones: Promise<ReadonlyMap<string, Zone>>;
}

/**
 * Maximum number of concurrent statements. Later requests share the next one, so each statement serves more requests.
 */
const MAX_UNDER_WAY = 2;

/**
 * Reads zones for requests that change nothing; each of them starts with the row of its zone. Requests that arrive in
 * one turn of the event loop share a statement, which halves the cost of short requests under load. A request never
 * joins a statement that was already sent, so it sees everything that was committed before it arrived.
 */
export class ZoneReader {
  readonly #db: Database;
  #next: Look | undefined;
  #underWay = 0;
  /** Sends the next statement after the response to another. */
  #sendNext: (() => void) | undefined;

  constructor(db: Database) {
    this.#db = db;
  }

  /** Returns the existing zone with this id, if the viewer may see it. @throws ServiceError `not-found` */
  async get(viewer: Viewer, id: string): Promise<Zone> {
    if (!isUuid(id)) throw zoneNotFound();
    // PostgreSQL returns UUIDs in lower case.
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

type NamedZone = Pick<Zone, 'id' | 'tenantId' | 'name'>;

const TOGETHER = { atOnce: 2, most: 256 };
/** Cache size at some hundred bytes for each zone. */
const MAX_KNOWN = 10_000;

/**
 * Cache of existing zones by name. An entry may be outdated: the zone may have been deleted or transferred. A writer
 * therefore checks both in PostgreSQL, and a negative result is verified first.
 */
export class ZoneNames {
  readonly #known = new BoundedMap<string, NamedZone>(MAX_KNOWN);
  readonly #reading: Batcher<string, NamedZone | undefined>;

  constructor(db: Database) {
    this.#reading = new Batcher(async (names) => {
      const found = await listZonesNamed(db, [...new Set(names)]);
      return names.map((name) => found.find((zone) => zone.name === name));
    }, TOGETHER);
  }

  findKnown(name: string): NamedZone | undefined {
    return this.#known.get(name);
  }

  async find(name: string): Promise<NamedZone | undefined> {
    const zone = await this.#reading.do(name);
    if (zone === undefined) this.#known.delete(name);
    else this.#known.set(name, zone);
    return zone;
  }
}
