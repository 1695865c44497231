import type { Database } from '@zonewright/database';
import { isUuid, ServiceError } from '@zonewright/service-kit';
import { mayFind } from '../access/key-rules.js';
import type { Viewer } from '../request/caller.js';
import type { Zone } from '../rows/zone.js';
import type { ZoneRecord } from '../rows/record.js';
import { findRecord } from '../rows/record-store.js';

/** A zone, and who looks at its records. */
export interface ViewedZone {
  readonly viewer: Viewer;
  readonly zone: Pick<Zone, 'id' | 'name'>;
}

/** A record of a zone that the caller may see. @throws ServiceError `not-found`. */
export async function getRecord(
  db: Database,
  { viewer, zone }: ViewedZone,
  id: string,
): Promise<ZoneRecord> {
  const record = isUuid(id) ? await findRecord(db, zone.id, id) : undefined;
  if (record === undefined || !mayFind(viewer, zone, record)) {
    throw new ServiceError('not-found', 'There is no record with this id in this domain.', {
      details: { subject: 'record' },
    });
  }
  return record;
}
