import type { Database } from '@zonewright/database';
import type { JournalChange } from './history-store.js';
import { completeImages } from './long-values.js';

/** A change as far as undoing it goes. */
export type JournaledChange = Pick<
  JournalChange,
  'id' | 'action' | 'recordId' | 'before' | 'after'
>;

/** All changes of one step of a zone's serial. */
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

/** The last that happened to a record. */
interface LaterVersion {
  readonly serial: number;
  /** The highest version that it has ever had, so that what is brought back gets one of its own. */
  readonly version: number;
}

/** Lists the last change of records from a serial on, by record id. */
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
