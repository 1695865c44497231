import type { Database } from '@zonewright/database';
import type { Zone } from '../rows/zone.js';
import type { RecordFields } from '../rows/record.js';

type WithEffectiveTtl = RecordFields & { readonly effectiveTtl: number };

/**
 * Adds the TTL that a record is answered with: that of its RRset, which is the lowest of its records (D-NS). The service's
 * own NS records at the apex have the zone's.
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
