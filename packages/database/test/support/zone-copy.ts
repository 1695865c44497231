import { type Database, FEED_START, type FeedPosition, readFeed } from '../../src/index.js';

/** Zones by name, each with its serial and its records, as text: easy to compare. */
export type ZoneContents = Record<string, { serial: number; records: string[] }>;

/** A reader of the feed: what a nameserver does, without DNS. */
export class ZoneCopy {
  position: FeedPosition = FEED_START;
  readonly zones: ZoneContents = {};

  /** Applies what changed since the last reading; returns the names that it showed. */
  async read(db: Database): Promise<string[]> {
    return await readFeed(db, this.position, async ({ changes, position, records }) => {
      const names = new Map<string, string>();
      for (const { name, zone } of changes) {
        if (zone === undefined) {
          // eslint-disable-next-line @typescript-eslint/no-dynamic-delete -- a plain object prints well when a test fails
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
      this.position = position;
      return changes.map(({ name }) => name);
    });
  }
}

/** What a reader that missed nothing must have. */
export async function storedZones(db: Database): Promise<ZoneContents> {
  const { rows } = await db.raw<{ rows: { name: string; serial: number; records: string[] }[] }>(
    `select d.name, d.serial,
            array(select r.name || ' ' || r.type from dns.records as r where r.domain_id = d.id
                   order by r.name, r.type, r.rdata_digest) as records
       from dns.domains as d where d.deleted_at is null`,
  );
  return Object.fromEntries(rows.map(({ name, ...zone }) => [name, zone]));
}
