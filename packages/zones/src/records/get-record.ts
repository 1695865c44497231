import type { Database } from '@zonewright/database';
import { isRecordTypeName, type SupportedTypes } from '@zonewright/dns-records';
import { isUuid, ServiceError } from '@zonewright/service-kit';
import type { Viewer } from '../request/caller.js';
import { mayFind } from '../rows/key-rules.js';
import { findRecord } from '../rows/record-store.js';
import { isServed, type RecordFields, type ZoneRecord } from '../rows/record.js';
import type { Zone } from '../rows/zone.js';

/** Zone, and the user who views its records. */
export interface ViewedZone<Z = Pick<Zone, 'id' | 'name'>> {
  readonly viewer: Viewer;
  readonly zone: Z;
}

/** Record types that the client supports. It does not see others. */
export interface SupportedRecords {
  readonly known: SupportedTypes;
  /** Whether the client supports disabled records. */
  readonly knowsFlags: boolean;
}

/** Returns a record of a zone that the caller may see. @throws ServiceError `not-found` */
export async function getRecord(
  db: Database,
  viewed: ViewedZone,
  { id, ...known }: SupportedRecords & { readonly id: string },
): Promise<ZoneRecord> {
  const record = isUuid(id) ? await findRecord(db, viewed.zone.id, id) : undefined;
  return requireVisible(record, viewed, known);
}

/** Returns the record, if the caller may see it. @throws ServiceError `not-found` */
export function requireVisible(
  record: ZoneRecord | undefined,
  { viewer, zone }: ViewedZone,
  { known, knowsFlags }: SupportedRecords,
): ZoneRecord {
  // Clients that support all types also get types that only a zone transfer can create.
  const isKnown =
    record !== undefined &&
    (known === 'all' || isRecordTypeName(record.type, known)) &&
    (knowsFlags || isServed(record));
  if (!isKnown || !mayFind(viewer, zone, record)) {
    throw new ServiceError('not-found', 'There is no record with this id in this domain.', {
      details: { subject: 'record' },
    });
  }
  return record;
}

type WithEffectiveTtl = RecordFields & { readonly effectiveTtl: number };

/**
 * Adds the TTL with which a record is served: the lowest in its RRset (D-NS). Managed NS records at the apex have the
 * TTL of the zone.
 */
export async function addEffectiveTtls(
  db: Database,
  zone: Zone,
  records: readonly RecordFields[],
): Promise<WithEffectiveTtl[]> {
  const names = [...new Set(records.map(({ name }) => name))];
  const { rows } = await db.raw<{ rows: { name: string; type: string; ttl: number }[] }>(
    `select r.name, r.type, min(coalesce(r.ttl, cast(:ttl as integer))) as ttl from dns.records as r
      where r.domain_id = :id and r.name = any(cast(:names as text[]))
      group by r.name, r.type`,
    { id: zone.id, ttl: zone.ttl, names: names as unknown as string },
  );
  const ttls = new Map(rows.map(({ name, type, ttl }) => [`${name} ${type}`, ttl]));
  return records.map((record) => {
    const { name, type } = record;
    const lowest = ttls.get(`${name} ${type}`) ?? record.ttl ?? zone.ttl;
    const isApexNs = type === 'NS' && name === zone.name;
    return { ...record, effectiveTtl: isApexNs ? Math.min(lowest, zone.ttl) : lowest };
  });
}
