import type { Database } from '@zonewright/database';
import type { JournalAction, RowImage } from '../journal/journal-store.js';
import { asTimestamp, type Timestamp } from '../timestamps.js';

/** A change as the journal holds it. */
export interface JournalChange {
  readonly id: number;
  readonly action: JournalAction;
  readonly serialBefore: number | null;
  readonly serialAfter: number;
  readonly recordId: string | null;
  readonly before: RowImage | null;
  readonly after: RowImage | null;
  readonly userId: string;
  readonly requestId: string;
  readonly changedAt: Timestamp;
}

/** The serial that a change of this zone led to. */
export async function findChangeSerial(
  db: Database,
  zoneId: string,
  id: number,
): Promise<number | undefined> {
  const { rows } = await db.raw<{ rows: { serial: number }[] }>(
    'select c.serial_after as serial from dns.zone_changes as c where c.domain_id = ? and c.id = ?',
    [zoneId, id],
  );
  return rows[0]?.serial;
}

/** So many are looked at in one statement, */
const ROWS_LOOKED_AT = 250;
/** and so many are given whatever they may be long: a few megabytes at the most. */
const ROWS_GIVEN = 16;
/** No more than so much can become of a compressed octet (lz4). */
const MOST_EXPANSION = 255;

/** How long an image may be, from what its row says without its being read. */
const octetsOf = (image: string) =>
  `coalesce(pg_column_size(${image}) * case when pg_column_compression(${image}) is null then 1 else ${MOST_EXPANSION} end, 0)`;

/** Some changes, and whether there are none after them. */
interface SomeChanges {
  readonly changes: readonly JournalChange[];
  readonly isEnd: boolean;
}

/**
 * Changes of a zone, newest first; with `olderThan`, those before that one. As many as cannot be more than `octets`
 * together, which is found out without reading those that no longer fit.
 */
export async function listChanges(
  db: Database,
  zoneId: string,
  page: {
    readonly olderThan: { readonly serial: number; readonly id: number } | undefined;
    readonly limit: number;
    readonly octets: number;
  },
): Promise<SomeChanges> {
  const { olderThan, octets } = page;
  const limit = Math.min(page.limit, ROWS_LOOKED_AT);
  const { rows } = await db.raw<{ rows: (JournalChange & { readonly available: number })[] }>(
    `select c.id, c.action, c.serial_before as "serialBefore", c.serial_after as "serialAfter",
            c.record_id as "recordId", c.before, c.after, c.user_id as "userId", c.request_id as "requestId",
            ${asTimestamp('c.changed_at')} as "changedAt", c.available
       from (select l.*, count(*) over () as available,
                    row_number() over (order by l.serial_after desc, l.id desc) as position,
                    sum(${octetsOf('l.before')} + ${octetsOf('l.after')})
                      over (order by l.serial_after desc, l.id desc rows unbounded preceding) as octets
               from (select c.* from dns.zone_changes as c
                      where c.domain_id = ? ${olderThan === undefined ? '' : 'and (c.serial_after, c.id) < (?, ?)'}
                      order by c.serial_after desc, c.id desc
                      limit ?) as l) as c
      where c.octets <= ? or c.position <= ${ROWS_GIVEN}
      order by c.serial_after desc, c.id desc`,
    [zoneId, ...(olderThan === undefined ? [] : [olderThan.serial, olderThan.id]), limit, octets],
  );
  const available = Number(rows[0]?.available ?? 0);
  return { changes: rows, isEnd: rows.length === available && available < limit };
}

/** Whether the zone ever had this serial. */
export async function hasSerial(db: Database, zoneId: string, serial: number): Promise<boolean> {
  const { rows } = await db.raw<{ rows: unknown[] }>(
    'select c.id from dns.zone_changes as c where c.domain_id = ? and c.serial_after = ? limit 1',
    [zoneId, serial],
  );
  return rows.length > 0;
}

/** A record that changed since a serial, as it was at that serial. */
export interface PastRecord {
  readonly id: string;
  /** null: there was none. */
  readonly image: RowImage | null;
  /** The highest version that it has ever had, so that what is brought back gets one of its own. */
  readonly lastVersion: number;
}

/** What must be undone to have the records of a serial again. Only the first and the last image of each are read. */
export async function listPastRecords(
  db: Database,
  zoneId: string,
  serial: number,
): Promise<PastRecord[]> {
  const { rows } = await db.raw<{ rows: PastRecord[] }>(
    `with later as (
       select c.record_id, min(c.id) as first, max(c.id) as last from dns.zone_changes as c
        where c.domain_id = ? and c.serial_after > ? and c.record_id is not null
        group by c.record_id)
     select l.record_id as id, first.before as image,
            (coalesce(last.after, last.before) ->> 'version')::integer as "lastVersion"
       from later as l
       join dns.zone_changes as first on first.id = l.first
       join dns.zone_changes as last on last.id = l.last`,
    [zoneId, serial],
  );
  return rows;
}

/** The zone's own members at a serial; undefined: they are the same today. */
export async function findPastZone(
  db: Database,
  zoneId: string,
  serial: number,
): Promise<RowImage | undefined> {
  const { rows } = await db.raw<{ rows: { before: RowImage }[] }>(
    `select c.before from dns.zone_changes as c
      where c.domain_id = ? and c.serial_after > ? and c.action = 'domain-update'
      order by c.serial_after, c.id limit 1`,
    [zoneId, serial],
  );
  return rows[0]?.before;
}
