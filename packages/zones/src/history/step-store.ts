import type { Database, JournalEntry } from '@zonewright/database';
import { completeImages } from '../rows/images.js';
import { asTimestamp } from '../rows/statements.js';
import { AUTHOR, type ChangeAuthor, type ChangeFilter, filterChanges } from './change-filter.js';
import type { JournalChange } from './history-store.js';

/** Changeset: all changes of a zone with one serial. */
export interface ZoneChanges extends ChangeAuthor {
  /** Id of the oldest change in the changeset. */
  readonly id: number;
  readonly serialBefore: number | null;
  readonly serialAfter: number;
  /** Number of changes of each kind. */
  readonly counts: Readonly<Partial<Record<JournalEntry['action'], number>>>;
  /** First names whose records changed. */
  readonly names: readonly string[];
}

export const NAMES_LISTED = 3;

/**
 * Lists changesets with a matching change, newest first. With `olderThan`, only those before that serial are returned.
 */
export async function listChangesets(
  db: Database,
  zoneId: string,
  page: { readonly olderThan: number | undefined; readonly limit: number },
  filter: ChangeFilter,
): Promise<ZoneChanges[]> {
  const filtered = filterChanges(filter);
  const { rows } = await db.raw<{ rows: ZoneChanges[] }>(
    `select c.id, c.serial_before as "serialBefore", c.serial_after as "serialAfter", counts.counts, names.names,
            ${AUTHOR}, ${asTimestamp('c.changed_at')} as "changedAt"
       from (select min(c.id) as id, c.serial_after from dns.zone_changes as c
              where c.domain_id = ? ${page.olderThan === undefined ? '' : 'and c.serial_after < ?'} ${filtered.sql}
              group by c.serial_after order by c.serial_after desc limit ?) as step
       cross join lateral (
         select * from dns.zone_changes as c where c.domain_id = ? and c.serial_after = step.serial_after
          order by c.id limit 1) as c
       cross join lateral (
         select jsonb_object_agg(a.action, a.count) as counts
           from (select o.action, count(*) from dns.zone_changes as o
                  where o.domain_id = c.domain_id and o.serial_after = c.serial_after group by o.action) as a) as counts
       cross join lateral (
         select coalesce(jsonb_agg(n.name order by n.first), '[]') as names
           from (select coalesce(o.after ->> 'name', o.before ->> 'name') as name, min(o.id) as first
                   from dns.zone_changes as o
                  where o.domain_id = c.domain_id and o.serial_after = c.serial_after and o.record_id is not null
                  group by 1 order by 2 limit ${NAMES_LISTED}) as n) as names
      order by c.serial_after desc`,
    [
      zoneId,
      ...(page.olderThan === undefined ? [] : [page.olderThan]),
      ...filtered.values,
      page.limit,
      zoneId,
    ],
  );
  return rows;
}

/** Members of a change that are needed to revert it. */
export type JournaledChange = Pick<
  JournalChange,
  'id' | 'action' | 'recordId' | 'before' | 'after'
>;

export async function listChangesetEntries(
  db: Database,
  zoneId: string,
  serial: number,
): Promise<JournaledChange[]> {
  const { rows } = await db.raw<{ rows: JournaledChange[] }>(
    `select c.id, c.action, c.record_id as "recordId", c.before, c.after from dns.zone_changes as c
      where c.domain_id = ? and c.serial_after = ? order by c.id`,
    [zoneId, serial],
  );
  return await completeImages(db, rows, { id: zoneId, serial });
}

/** Last change of a record. */
interface LaterVersion {
  readonly serial: number;
  /** Highest version that the record has ever had. A restored record gets a new one. */
  readonly version: number;
}

/** Lists the last changes of records from a serial on, by record id. */
export async function listLaterVersions(
  db: Database,
  zoneId: string,
  { serial, ids }: { readonly serial: number; readonly ids: readonly string[] },
): Promise<ReadonlyMap<string, LaterVersion>> {
  const { rows } = await db.raw<{ rows: (LaterVersion & { readonly id: string })[] }>(
    `select c.record_id as id, max(c.serial_after) as serial,
            max((coalesce(c.after, c.before) ->> 'version')::integer) as version
       from dns.zone_changes as c
      where c.domain_id = ? and c.serial_after >= ? and c.record_id = any(?::uuid[])
      group by c.record_id`,
    [zoneId, serial, [...ids]],
  );
  return new Map(rows.map((row) => [row.id, row]));
}
