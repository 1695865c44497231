import type { Database } from '@zonewright/database';
import { isRecordTypeName, type KnownTypes } from '@zonewright/dns-records';
import { isUuid, ServiceError } from '@zonewright/service-kit';
import type { ZoneRecord } from '../rows/record.js';
import { findRecord } from '../rows/record-store.js';

/**
 * A record of a zone that the caller may see.
 *
 * @param known the types that the client knows; what it does not know is not there for it.
 * @throws ServiceError `not-found`.
 */
export async function getRecord(
  db: Database,
  zoneId: string,
  { id, known }: { readonly id: string; readonly known: KnownTypes },
): Promise<ZoneRecord> {
  const record = isUuid(id) ? await findRecord(db, zoneId, id) : undefined;
  if (record === undefined || !isRecordTypeName(record.type, known)) {
    throw new ServiceError('not-found', 'There is no record with this id in this domain.', {
      details: { subject: 'record' },
    });
  }
  return record;
}
