import type { Database } from '@zonewright/database';
import { isRecordTypeName, type KnownTypes } from '@zonewright/dns-records';
import { isUuid, ServiceError } from '@zonewright/service-kit';
import { mayFind } from '../access/key-rules.js';
import type { Viewer } from '../request/caller.js';
import type { Zone } from '../rows/zone.js';
import { isServed, type ZoneRecord } from '../rows/record.js';
import { findRecord } from '../rows/record-store.js';

/** A zone, and who looks at its records. */
export interface ViewedZone<Z = Pick<Zone, 'id' | 'name'>> {
  readonly viewer: Viewer;
  readonly zone: Z;
}

/**
 * A record of a zone that the caller may see.
 *
 * @param known the types that the client knows; what it does not know is not there for it, nor is what is switched off unless
 * it `knowsFlags`.
 * @throws ServiceError `not-found`.
 */
export async function getRecord(
  db: Database,
  { viewer, zone }: ViewedZone,
  {
    id,
    known,
    knowsFlags,
  }: { readonly id: string; readonly known: KnownTypes; readonly knowsFlags: boolean },
): Promise<ZoneRecord> {
  const record = isUuid(id) ? await findRecord(db, zone.id, id) : undefined;
  const isKnown =
    record !== undefined &&
    isRecordTypeName(record.type, known) &&
    (knowsFlags || isServed(record));
  if (!isKnown || !mayFind(viewer, zone, record)) {
    throw new ServiceError('not-found', 'There is no record with this id in this domain.', {
      details: { subject: 'record' },
    });
  }
  return record;
}
