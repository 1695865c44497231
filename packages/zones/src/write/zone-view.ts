import { createHash } from 'node:crypto';
import type { Database, FeedApex } from '@zonewright/database';
import { apexRecords, canonicalRdata, rdataToWire } from '@zonewright/dns-records';
import { getZoneApex } from '../rows/nameserver-store.js';
import type { RecordContent, ZoneRecord } from '../rows/record.js';
import type { Zone } from '../rows/zone.js';

/** A record after an update, and its row before the update; undefined if it is new. */
export interface UpdatedRecord {
  readonly row: ZoneRecord | undefined;
  readonly content: RecordContent;
}

/** The records of a zone at some names. An update examines and changes them before anything is written. */
export class ZoneView {
  /** Records by name, without those that the service provides. */
  readonly records = new Map<string, UpdatedRecord[]>();
  readonly #zone: Zone;
  readonly #apex: FeedApex | undefined;
  /**
   * The digests of the records that the service provides at the apex, by type. They are computed on demand, because few
   * updates need them.
   */
  #provided: ReadonlyMap<string, ReadonlySet<string>> | undefined;

  /** @param apex undefined if primaries provide the apex records */
  constructor(zone: Zone, rows: Iterable<ZoneRecord>, apex: FeedApex | undefined) {
    this.#zone = zone;
    this.#apex = apex;
    for (const row of rows) this.set(row.name, [...this.at(row.name), { row, content: row }]);
  }

  get provided(): ReadonlyMap<string, ReadonlySet<string>> {
    this.#provided ??= new Map(
      [...composeManaged(this.#zone, this.#apex)].map(([type, data]): [string, Set<string>] => [
        type,
        new Set(data.map((each) => digestOf(type, rdataToWire(type, each, null)))),
      ]),
    );
    return this.#provided;
  }

  at(name: string): readonly UpdatedRecord[] {
    return this.records.get(name) ?? [];
  }

  set(name: string, records: UpdatedRecord[]): void {
    this.records.set(name, records);
  }

  /** Returns the digests of the records at this name, by type. */
  digestsAt(name: string): ReadonlyMap<string, ReadonlySet<string>> {
    const digests = new Map<string, Set<string>>();
    const add = (type: string, digest: string) => {
      digests.set(type, (digests.get(type) ?? new Set()).add(digest));
    };
    if (name === this.#zone.name) {
      for (const [type, own] of this.provided) for (const digest of own) add(type, digest);
    }
    for (const { content } of this.at(name)) add(content.type, content.digest.toString('base64'));
    return digests;
  }

  /** Returns the data of the records of one type that the service provides at the apex. */
  managed(type: string): readonly string[] {
    return composeManaged(this.#zone, this.#apex).get(type) ?? [];
  }

  isProvided(name: string, type: string, digest: string): boolean {
    return name === this.#zone.name && this.provided.get(type)?.has(digest) === true;
  }
}

/** Returns equal digests for equal rdata. @throws DnsSyntaxError */
export function digestOf(type: string, rdata: Uint8Array): string {
  return createHash('sha256').update(canonicalRdata(type, rdata)).digest('base64');
}

/** The types of the records that the service provides at the apex of every zone. */
export const APEX_TYPES = ['NS', 'SOA'] as const;

/** Whether the service provides records of this name and type in the zone. */
export function isManagedRecord(
  zone: Pick<Zone, 'name'>,
  { name, type }: { readonly name: string; readonly type: string },
): boolean {
  return name === zone.name && APEX_TYPES.some((each) => each === type);
}

/**
 * Lists the records that the service provides in the zone, by type. They are computed and have no rows. A secondary
 * zone has none.
 */
export async function listManaged(
  db: Database,
  zone: Zone,
): Promise<ReadonlyMap<string, readonly string[]>> {
  return composeManaged(zone, await getZoneApex(db, zone.id));
}

/** Computes the records from a known apex; an undefined apex means that primaries provide them. */
function composeManaged(
  zone: Zone,
  apex: FeedApex | undefined,
): ReadonlyMap<string, readonly string[]> {
  const records = apex === undefined ? [] : apexRecords({ ...zone, ...apex });
  const byType = APEX_TYPES.map((type): [string, string[]] => [
    type,
    records.filter((record) => record.type === type).map(({ data }) => data),
  ]);
  return new Map(byType.filter(([, data]) => data.length > 0));
}
