import type { Database } from '@zonewright/database';
import { Batcher, BoundedMap, isUuid } from '@zonewright/service-kit';
import type { Viewer } from '../request/caller.js';
import { zoneNotFound } from '../rows/get-zone.js';
import { mayUseZone } from '../rows/key-rules.js';
import { listZonesById, listZonesNamed } from '../rows/zone-store.js';
import type { Zone } from '../rows/zone.js';

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

type NamedZone = Pick<Zone, 'id' | 'tenantId' | 'name'>;

const TOGETHER = { atOnce: 2, most: 256 };
/** Some hundred octets each. */
const MAX_KNOWN = 10_000;

/**
 * Cache of active zones by name. An entry may be outdated: the zone may be deleted or belong to another tenant. A writer therefore checks
 * both in PostgreSQL, and a negative result is checked again first.
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
