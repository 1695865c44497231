import type { Database } from '@zonewright/database';
import type { ListedZone } from '../listing/listed-zone.js';
import { isProvided } from '../recordsets/provided.js';
import type { RecordsetKey } from '../recordsets/recordset-id.js';
import type { NameserverStatus } from './nameserver-status.js';
import { type ObjectStatus, statusOfChange } from './object-status.js';
import { listRecentChanges } from './recent-change-store.js';

/** So many changes are looked at: of a zone that has more of them under way, all is under way. */
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
  const statuses = new Map<string, ObjectStatus>();
  const pending = new Set<string>();
  let isZonePending = false;
  for (const { transaction, serial, recordId, before, after } of changes) {
    const change = { transaction: BigInt(transaction), zone: { name: zone.name, serial } };
    const id = `${transaction} ${serial}`;
    const status = statuses.get(id) ?? statusOfChange(servers, change);
    statuses.set(id, status);
    if (status === 'ACTIVE') continue;
    // Its TTL is theirs, and without it they are not to be seen.
    if (recordId === null) isZonePending = true;
    for (const key of [before, after]) if (key !== null) pending.add(key.join(' '));
  }
  // Whether the change before the last that was read is applied, nobody knows.
  const last = changes.at(-1);
  const isAllKnown =
    changes.length < MAX_CHANGES ||
    statuses.get(`${last?.transaction ?? ''} ${last?.serial ?? ''}`) === 'ACTIVE';
  return (key) =>
    !isAllKnown || isZonePending || isProvided(zone, key) || pending.has(`${key.name} ${key.type}`)
      ? 'PENDING'
      : 'ACTIVE';
}
