import {
  type Database,
  type JournalEntry,
  queryRow,
  type RecordImage,
  type ZoneImage,
} from '@zonewright/database';
import { filterPeriods, findTransferSerial, type HistoryPeriod } from '../rows/history-periods.js';
import { absentOctets, completeImages } from '../rows/images.js';
import { asTimestamp, type Timestamp } from '../rows/statements.js';
import { AUTHOR, type ChangeAuthor, type ChangeFilter, filterChanges } from './change-filter.js';

export interface JournalChange extends ChangeAuthor {
  readonly id: number;
  readonly action: JournalEntry['action'];
  readonly serialBefore: number | null;
  readonly serialAfter: number;
  readonly recordId: string | null;
  readonly before: ZoneImage | RecordImage | null;
  readonly after: ZoneImage | RecordImage | null;
}

/** Returns the serial that a change of this zone resulted in. */
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

/** Maximum number of rows that one statement reads. */
const ROWS_LOOKED_AT = 250;
/** Number of rows that are returned whatever their size: a few megabytes at most. */
const ROWS_GIVEN = 16;
/** Maximum number of bytes that one compressed byte can expand to (lz4). */
const MOST_EXPANSION = 255;

/** SQL for the maximum length of an image, without reading it. */
const octetsOf = (image: string) =>
  `coalesce(pg_column_size(${image}) * case when pg_column_compression(${image}) is null then 1 else ${MOST_EXPANSION} end, 0)`;

/** List of changes, and whether it reaches the end. */
interface SomeChanges {
  readonly changes: readonly JournalChange[];
  readonly isEnd: boolean;
}

/**
 * Lists changes of a zone, newest first. With `olderThan`, only changes before that one are returned. The list has as
 * many changes as fit into `octets`. Sizes are found without reading the rows that do not fit.
 */
export async function listChanges(
  db: Database,
  zoneId: string,
  page: {
    readonly olderThan: { readonly serial: number; readonly id: number } | undefined;
    readonly limit: number;
    readonly octets: number;
  },
  filter: ChangeFilter = {},
): Promise<SomeChanges> {
  const { olderThan, octets } = page;
  const limit = Math.min(page.limit, ROWS_LOOKED_AT);
  const filtered = filterChanges(filter);
  const { rows } = await db.raw<{ rows: (JournalChange & { readonly available: string })[] }>(
    `select c.id, c.action, c.serial_before as "serialBefore", c.serial_after as "serialAfter",
            c.record_id as "recordId", c.before, c.after, ${AUTHOR},
            ${asTimestamp('c.changed_at')} as "changedAt", c.available
       from (select l.*, count(*) over () as available,
                    row_number() over (order by l.serial_after desc, l.id desc) as position,
                    sum(${octetsOf('l.before')} + ${octetsOf('l.after')})
                      over (order by l.serial_after desc, l.id desc rows unbounded preceding) as octets
               from (select c.* from dns.zone_changes as c
                      where c.domain_id = ? ${olderThan === undefined ? '' : 'and (c.serial_after, c.id) < (?, ?)'} ${filtered.sql}
                      order by c.serial_after desc, c.id desc
                      limit ?) as l) as c
      where c.octets <= ? or c.position <= ${ROWS_GIVEN}
      order by c.serial_after desc, c.id desc`,
    [
      zoneId,
      ...(olderThan === undefined ? [] : [olderThan.serial, olderThan.id]),
      ...filtered.values,
      limit,
      octets,
    ],
  );
  const available = Number(rows[0]?.available ?? 0);
  const some = withLongData(rows, octets);
  const changes = await completeImages(db, some, {
    id: zoneId,
    serial: some.at(-1)?.serialAfter ?? 0,
  });
  return { changes, isEnd: some.length === available && available < limit };
}

/** Returns the first changes, at least one, that fit into `octets` with their long data. */
function withLongData<T extends Pick<JournalChange, 'before' | 'after'>>(
  changes: readonly T[],
  octets: number,
): readonly T[] {
  let sum = 0;
  const end = changes.findIndex(({ before, after }) => {
    sum += (absentOctets(before) ?? 0) + (absentOctets(after) ?? 0);
    return sum > octets;
  });
  return end === -1 ? changes : changes.slice(0, Math.max(1, end));
}

/** Oldest change of a zone in the journal. */
export interface HistoryStart {
  readonly id: number;
  readonly serial: number;
  readonly changedAt: Timestamp;
}

export async function findHistoryStart(
  db: Database,
  zoneId: string,
  periods?: readonly HistoryPeriod[],
): Promise<HistoryStart | undefined> {
  const own = filterPeriods(periods);
  const { rows } = await db.raw<{ rows: HistoryStart[] }>(
    `select c.id, c.serial_after as serial, ${asTimestamp('c.changed_at')} as "changedAt"
       from dns.zone_changes as c where c.domain_id = ? ${own.sql} order by c.serial_after, c.id limit 1`,
    [zoneId, ...own.values],
  );
  return rows[0];
}

/** Whether the zone had this serial, according to its history. Changesets of the signer are not in the journal. */
export async function hasSerial(db: Database, zoneId: string, serial: number): Promise<boolean> {
  const inJournal = (condition: string) =>
    `exists (select 1 from dns.zone_changes as c where c.domain_id = :zoneId and c.serial_after ${condition} :serial)`;
  const ofSigner = `exists (select 1 from dns.signing_steps as s where s.domain_id = :zoneId and s.serial_after = :serial)`;
  const { rows } = await db.raw<{ rows: { has: boolean }[] }>(
    `select ${inJournal('=')} or (${ofSigner} and ${inJournal('<=')}) as has`,
    { zoneId, serial },
  );
  return rows[0]?.has === true;
}

/** Returns the serial of the first later changeset that replaced all records, which the journal does not contain. */
export async function findReplacement(
  db: Database,
  zoneId: string,
  serial: number,
): Promise<number | undefined> {
  const row = await queryRow<{ serial: number }>(
    db,
    `select c.serial_after as serial from dns.zone_changes as c
      where c.domain_id = ? and c.serial_after > ? and c.after ->> 'replaced' = 'records'
      order by c.serial_after limit 1`,
    [zoneId, serial],
  );
  return row?.serial;
}

/** Record that changed after a serial, in its state at that serial. */
export interface PastRecord {
  readonly id: string;
  /** Null if the record did not exist. */
  readonly image: RecordImage | null;
  /** Highest version that the record has ever had. A restored record gets a new one. */
  readonly lastVersion: number;
}

/** Lists the records that changed after a serial, in their state at that serial. */
export async function listPastRecords(
  db: Database,
  zoneId: string,
  serial: number,
): Promise<PastRecord[]> {
  const { rows } = await db.raw<{
    rows: {
      id: number;
      recordId: string;
      before: RecordImage | null;
      after: null;
      lastVersion: number;
    }[];
  }>(
    `select first.id, first.record_id as "recordId", c.before, null as after, first.last_version as "lastVersion"
       from (select min(c.id) as id, c.record_id,
                    max((coalesce(c.after, c.before) ->> 'version')::integer) as last_version
               from dns.zone_changes as c
              where c.domain_id = ? and c.serial_after > ? and c.record_id is not null
              group by c.record_id) as first
       join dns.zone_changes as c on c.id = first.id`,
    [zoneId, serial],
  );
  return (await completeImages(db, rows, { id: zoneId, serial })).map(
    ({ recordId, before, lastVersion }) => ({ id: recordId, image: before, lastVersion }),
  );
}

/** Returns the zone's own members at a serial. Undefined if they have not changed since. */
export async function findPastZone(
  db: Database,
  zoneId: string,
  serial: number,
): Promise<ZoneImage | undefined> {
  const { rows } = await db.raw<{ rows: { before: ZoneImage }[] }>(
    `select c.before from dns.zone_changes as c
      where c.domain_id = ? and c.serial_after > ? and c.action = 'domain-update'
      order by c.serial_after, c.id limit 1`,
    [zoneId, serial],
  );
  return rows[0]?.before;
}

/** Returns the error message for a serial that the journal does not contain. */
export async function describeMissingSerial(
  db: Database,
  zoneId: string,
  serial: number,
): Promise<string> {
  const taken = await findTransferSerial(db, zoneId);
  if (taken !== undefined && serial < taken) {
    return `Your project has owned the domain since serial ${taken}; earlier changes belong to the project that transferred it.`;
  }
  const start = await findHistoryStart(db, zoneId);
  if (start !== undefined && serial < start.serial) {
    return `The domain's history begins with serial ${start.serial}; earlier changes are no longer stored.`;
  }
  return 'The domain never had this serial; see its list of changes.';
}
