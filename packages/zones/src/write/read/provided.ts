import type { Database, FeedApex } from '@zonewright/database';
import { apexRecords } from '@zonewright/dns-records';
import { getZoneApex } from '../../nameservers/zone-apex-store.js';
import type { Zone } from '../../rows/zone.js';

/** The types of what the service provides at the apex of every zone. */
const PROVIDED_TYPES = ['NS', 'SOA'] as const;

/** Whether the service provides records of this name and type in the zone. */
export function isManagedRecord(
  zone: Pick<Zone, 'name'>,
  { name, type }: { readonly name: string; readonly type: string },
): boolean {
  return name === zone.name && PROVIDED_TYPES.some((each) => each === type);
}

/** Lists the records that the service provides in the zone, by type. They are composed and have no rows. A secondary zone has none. */
export async function listManaged(
  db: Database,
  zone: Zone,
): Promise<ReadonlyMap<string, readonly string[]>> {
  return composeManaged(zone, await getZoneApex(db, zone.id));
}

/** The same of an apex that is known; undefined: a primary provides it. */
export function composeManaged(
  zone: Zone,
  apex: FeedApex | undefined,
): ReadonlyMap<string, readonly string[]> {
  const records = apex === undefined ? [] : apexRecords({ ...zone, ...apex });
  const byType = PROVIDED_TYPES.map((type): [string, string[]] => [
    type,
    records.filter((record) => record.type === type).map(({ data }) => data),
  ]);
  return new Map(byType.filter(([, data]) => data.length > 0));
}
