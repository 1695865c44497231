import type { Database } from '@zonewright/database';
import { isUuid, ServiceError } from '@zonewright/service-kit';
import type { Zone } from '../rows/zone.js';
import { isProvided, listProvided } from './provided.js';
import { type Recordset, toRecordset } from './recordset.js';
import { recordsetId, type RecordsetKey } from './recordset-id.js';
import { findKeyById, listFullRows } from './recordset-store.js';

export function recordsetNotFound(): ServiceError {
  return new ServiceError('not-found', 'There is no recordset with this id in this zone.', {
    details: { subject: 'record' },
  });
}

/** A recordset of a zone that the caller may see. @throws ServiceError `not-found`. */
export async function getRecordset(db: Database, zone: Zone, id: string): Promise<Recordset> {
  const key = await findRecordsetKey(db, zone, id);
  if (key === undefined) throw recordsetNotFound();
  const provided = isProvided(zone, key) ? (await listProvided(db, zone)).get(key.type) : undefined;
  const rows = await listFullRows(db, zone.id, key);
  if (rows.length === 0 && provided === undefined) throw recordsetNotFound();
  return toRecordset(zone, key, rows, provided);
}

/** Of which recordset this is the id. */
export async function findRecordsetKey(
  db: Database,
  zone: Zone,
  id: string,
): Promise<RecordsetKey | undefined> {
  if (!isUuid(id)) return undefined;
  const provided = ['SOA', 'NS']
    .map((type) => ({ name: zone.name, type }))
    .find((key) => recordsetId(zone.id, key) === id.toLowerCase());
  return provided ?? (await findKeyById(db, zone.id, id));
}
