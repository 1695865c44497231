import type { FeedApex } from '@zonewright/database';
import { canonicalRdata, rdataToWire } from '@zonewright/dns-records';
import { createHash } from 'node:crypto';
import { composeManaged } from './provided.js';
import type { RecordContent, ZoneRecord } from '../../rows/record.js';
import type { Zone } from '../../rows/zone.js';

/** A record as an update leaves it, and the row that it was before; undefined: there was none. */
export interface UpdatedRecord {
  readonly row: ZoneRecord | undefined;
  readonly content: RecordContent;
}

/** The records of a zone at some names: what an update looks at and changes, before anything is written. */
export class ZoneView {
  /** Records by name, without those that the service provides. */
  readonly records = new Map<string, UpdatedRecord[]>();
  readonly #zone: Zone;
  readonly #apex: FeedApex | undefined;
  /** Digests of what the service provides at the apex, by type: few updates look at it. */
  #provided: ReadonlyMap<string, ReadonlySet<string>> | undefined;

  /** @param apex undefined: primaries provide it */
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

  /** Digests of the records of this name, by type. */
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

  isProvided(name: string, type: string, digest: string): boolean {
    return name === this.#zone.name && this.provided.get(type)?.has(digest) === true;
  }
}

/** Equal for equal rdata. @throws DnsSyntaxError */
export function digestOf(type: string, rdata: Uint8Array): string {
  return createHash('sha256').update(canonicalRdata(type, rdata)).digest('base64');
}
