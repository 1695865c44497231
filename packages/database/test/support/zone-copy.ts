import {
  type Database,
  FEED_START,
  type FeedChange,
  type ReaderPosition,
  type FeedPosition,
  type FeedReading,
  readFeed,
  readFeedChanges,
} from '../../src/index.js';

/** Zones by name, each with its serial and its records as text, which makes them easy to compare. */
export type ZoneContents = Record<string, { serial: number; records: string[] }>;

export type WayToRead = 'in a transaction' | 'in one statement';

/** A reader of the feed that does what a nameserver does, without DNS. It always begins in a transaction. */
export class ZoneCopy {
  readonly zones: ZoneContents = {};
  readonly #way: WayToRead;
  #place: ReaderPosition = { position: FEED_START, horizon: '', lineage: '' };

  constructor(way: WayToRead = 'in one statement') {
    this.#way = way;
  }

  get position(): FeedPosition {
    return this.#place.position;
  }

  set position(position: FeedPosition) {
    this.#place = { ...this.#place, position };
  }

  /** Applies the changes since the last reading, and returns their names. */
  async read(db: Database): Promise<string[]> {
    const isStart = this.position === FEED_START;
    const news =
      isStart || this.#way === 'in a transaction'
        ? undefined
        : await readFeedChanges(db, this.#place);
    if (news !== undefined) return await this.#apply(news);
    return await readFeed(db, this.position, (reading) => this.#apply(reading));
  }

  async #apply({ changes, records, ...place }: FeedReading): Promise<string[]> {
    const names = new Map<string, string>();
    for (const { name, zone } of changes) {
      if (zone === undefined) {
        // oxlint-disable-next-line typescript/no-dynamic-delete -- a plain object prints well when a test fails
        delete this.zones[name];
        continue;
      }
      names.set(zone.domainId, name);
      this.zones[name] = { serial: zone.serial, records: [] };
    }
    for await (const batch of records([...names.keys()])) {
      for (const { domainId, name, type } of batch) {
        this.zones[names.get(domainId) ?? '']?.records.push(`${name} ${type}`);
      }
    }
    this.#checkCounts(changes);
    const { position, horizon, lineage = '' } = place;
    this.#place = { position, horizon, lineage };
    return changes.map(({ name }) => name);
  }

  /** A zone and its records must come from one snapshot. */
  #checkCounts(changes: readonly FeedChange[]): void {
    for (const { name, zone } of changes) {
      const read = this.zones[name]?.records.length;
      if (read !== zone?.recordCount) throw new Error(`${name} is of two snapshots`);
    }
  }
}

/** Returns the state that a reader without missed changes must have. */
export async function storedZones(db: Database): Promise<ZoneContents> {
  const { rows } = await db.raw<{ rows: { name: string; serial: number; records: string[] }[] }>(
    `select d.name, d.serial,
            array(select r.name || ' ' || r.type from dns.records as r where r.domain_id = d.id
                   order by r.name, r.type, r.rdata_digest) as records
       from dns.domains as d where d.deleted_at is null`,
  );
  return Object.fromEntries(rows.map(({ name, ...zone }) => [name, zone]));
}
