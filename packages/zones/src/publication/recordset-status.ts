import { type Database, queryRows } from '@zonewright/database';
import type { ListedZone } from '../domains/zone-page-store.js';
import type { RecordsetKey } from '../rows/recordset.js';
import { isManagedRecord } from '../write/zone-view.js';
import { type NameserverStatus, type ObjectStatus, statusOfChange } from './nameserver-status.js';

/** Maximum number of changes that are read. If a zone has more of them under way, all of its recordsets are. */
const MAX_CHANGES = 1_000;

/**
 * Says how far the last change of a recordset has come. While all of the zone is published nothing has to be looked up; otherwise
 * the journal says which recordsets the changes are about that are not. `servers` must have been read after the zone.
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
  // If none of those that were read is applied, there may be more; a change of the zone itself is one of all that is in it.
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

/** A change of a zone or of one of its records, as the journal has it. */
interface RecentChange {
  readonly transaction: string;
  readonly serial: number;
  /** null: of the zone. */
  readonly recordId: string | null;
  /** Name and type before and after; null where there was or is none. */
  readonly before: readonly [string, string] | null;
  readonly after: readonly [string, string] | null;
}

/** The last changes of a zone and its records, the latest first. */
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
