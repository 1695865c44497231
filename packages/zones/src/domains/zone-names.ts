import type { Database } from '@zonewright/database';
import { BoundedMap, Batcher } from '@zonewright/service-kit';
import type { Zone } from '../rows/zone.js';
import { listZonesNamed } from '../rows/zone-store.js';

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
