import type { Database } from '@zonewright/database';
import { isUuid, ServiceError } from '@zonewright/service-kit';
import { mayFind } from '../rows/key-rules.js';
import { findListedZone, type ListedZone } from '../domains/zone-page-store.js';
import type { ViewedZone } from './get-record.js';
import type { AnyViewer } from '../request/caller.js';
import { findSharingTenant } from '../rows/share-store.js';
import type { Zone } from '../rows/zone.js';
import { isManagedRecord, listManaged } from '../write/zone-view.js';
import { type Recordset, recordsetId, type RecordsetKey, toRecordset } from '../rows/recordset.js';
import {
  findKeyById,
  findPastKeyById,
  findRecordsetZone,
  listFullRows,
} from './recordset-store.js';

export function recordsetNotFound(): ServiceError {
  return new ServiceError('not-found', 'There is no recordset with this id in this zone.', {
    details: { subject: 'record' },
  });
}

/** Returns a recordset of a zone that the caller may see. @throws ServiceError `not-found` */
export async function getRecordset(
  db: Database,
  viewed: ViewedZone<Zone>,
  id: string,
): Promise<Recordset> {
  const { zone } = viewed;
  const key = await findRecordsetKey(db, viewed, id);
  if (key === undefined) throw recordsetNotFound();
  const provided = isManagedRecord(zone, key)
    ? (await listManaged(db, zone)).get(key.type)
    : undefined;
  const rows = await listFullRows(db, zone.id, key);
  if (rows.length === 0 && provided === undefined) throw recordsetNotFound();
  return toRecordset(zone, key, rows, provided);
}

/** Returns the key of a recordset by id, if the viewer may see it. */
async function findRecordsetKey(
  db: Database,
  { viewer, zone }: ViewedZone,
  id: string,
): Promise<RecordsetKey | undefined> {
  if (!isUuid(id)) return undefined;
  const provided = ['SOA', 'NS']
    .map((type) => ({ name: zone.name, type }))
    .find((key) => recordsetId(zone.id, key) === id.toLowerCase());
  const key = provided ?? (await findKeyById(db, zone.id, id));
  return key !== undefined && mayFind(viewer, zone, key) ? key : undefined;
}

/**
 * Returns the key of the recordset after which a page begins. It may have been deleted since the previous page: some
 * scripts delete each page that they list.
 */
export async function findRecordsetMarker(
  db: Database,
  viewed: ViewedZone,
  id: string,
): Promise<RecordsetKey | undefined> {
  const key = await findRecordsetKey(db, viewed, id);
  if (key !== undefined || !isUuid(id)) return key;
  const past = await findPastKeyById(db, viewed.zone.id, id);
  return past !== undefined && mayFind(viewed.viewer, viewed.zone, past) ? past : undefined;
}

/** Returns the zone and the key of a recordset by id, if the viewer may see them. */
export async function locateRecordset(
  db: Database,
  { tenantId, key }: AnyViewer,
  id: string,
): Promise<{ readonly zone: ListedZone; readonly key: RecordsetKey } | undefined> {
  const found = await findRecordsetZone(db, id, tenantId);
  const isSeen =
    found !== undefined &&
    (tenantId === undefined ||
      found.tenantId === tenantId ||
      (await findSharingTenant(db, tenantId, found.zoneId)) !== undefined);
  if (!isSeen) return undefined;
  const viewer = { tenantId: found.tenantId, key };
  const zone = await findListedZone(db, viewer, found.zoneId);
  const recordset = zone && (await findRecordsetKey(db, { viewer, zone }, id));
  return recordset && { zone, key: recordset };
}
