import type { Database } from '@zonewright/database';
import type { ListedZone } from '../listing/listed-zone.js';
import { isManagedRecord } from '../write/read/provided.js';
import type { RecordsetKey } from '../recordsets/recordset-id.js';
import type { NameserverStatus } from './nameserver-status.js';
import { type ObjectStatus, statusOfChange } from './object-status.js';
import { listRecentChanges } from './recent-change-store.js';

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
