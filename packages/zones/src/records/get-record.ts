import type { Database } from '@zonewright/database';
import { isUuid, ServiceError } from '@zonewright/service-kit';
import type { ZoneRecord } from '../rows/record.js';
import { findRecord } from '../rows/record-store.js';

/** A record of a zone that the caller may see. @throws ServiceError `not-found`. */
export async function getRecord(db: Database, zoneId: string, id: string): Promise<ZoneRecord> {
  const record = isUuid(id) ? await findRecord(db, zoneId, id) : undefined;
  if (record === undefined) {
    throw new ServiceError('not-found', 'There is no record with this id in this domain.', {
      details: { subject: 'record' },
    });
  }
  return record;
}
