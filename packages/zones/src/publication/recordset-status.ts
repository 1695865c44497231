import { type Database, queryRows } from '@zonewright/database';
import type { ListedZone } from '../domains/zone-page-store.js';
import type { RecordsetKey } from '../rows/recordset.js';
import { isManagedRecord } from '../write/zone-view.js';
import { type NameserverStatus, type ObjectStatus, statusOfChange } from './nameserver-status.js';

/**
 * Maximum number of changes that are read. If a zone has more unpublished changes, all of its recordsets count as
 * pending.
 */
const MAX_CHANGES = 1_000;

/**
 * Returns a function for the status of a recordset's last change. While the whole zone is published, no query is
 * needed. Otherwise the journal shows which recordsets the unpublished changes affect. `servers` must have been read
 * after the zone.
 */
export async function readRecordsetStatuses(
  db: Database,
  servers: readonly NameserverStatus[],
  zone: ListedZone,
): Promise<(key: RecordsetKey) => ObjectStatus> {
  const ofZone = statusOfChange(servers, { transaction: zone.transaction, zone });
  if (ofZone !== 'PENDING') return () => ofZone;
  const changes = await listRecentChanges(db, zone.id, MAX_CHANGES);
  const unapplied = changes.filter(
    ({ transaction, serial }) =>
      statusOfChange(servers, {
        transaction: BigInt(transaction),
        zone: { name: zone.name, serial },
      }) !== 'ACTIVE',
  );
  // If none of the changes is applied, there may be more. A change of the zone itself affects all of its recordsets.
  const isAllPending =
    unapplied.length === MAX_CHANGES || unapplied.some(({ recordId }) => recordId === null);
  const pending = new Set(
    unapplied.flatMap(({ before, after }) =>
      [before, after].flatMap((key) => (key === null ? [] : key.join(' '))),
    ),
  );
  return (key) =>
    isAllPending || isManagedRecord(zone, key) || pending.has(`${key.name} ${key.type}`)
      ? 'PENDING'
      : 'ACTIVE';
}

/** Change of a zone or a record in the journal. */
interface RecentChange {
  readonly transaction: string;
  readonly serial: number;
  /** Null for a change of the zone. */
  readonly recordId: string | null;
  /** Name and type before and after. Null if the record did not exist. */
  readonly before: readonly [string, string] | null;
  readonly after: readonly [string, string] | null;
}

/** Lists the last changes of a zone and its records, latest first. */
async function listRecentChanges(
  db: Database,
  zoneId: string,
  limit: number,
): Promise<RecentChange[]> {
  return await queryRows<RecentChange>(
    db,
    `select c.changed_in::text as transaction, c.serial_after as serial, c.record_id as "recordId",
            case when c.before is null then null else json_build_array(c.before ->> 'name', c.before ->> 'type') end as before,
            case when c.after is null then null else json_build_array(c.after ->> 'name', c.after ->> 'type') end as after
       from (select * from dns.zone_changes as j where j.domain_id = ?
              order by j.serial_after desc, j.id desc limit ?) as c`,
    [zoneId, limit],
  );
}
