import type { Database } from '@zonewright/database';
import { ServiceError } from '@zonewright/service-kit';
import { findZoneNamed, getZoneDnssec, type Zone } from '@zonewright/zones';

type NamedZone = Pick<Zone, 'id' | 'name' | 'tenantId'>;

/** How a domain is signed, as zone files and people write it. */
export interface ShownDnssec {
  readonly name: string;
  readonly tenantId: string;
  readonly state: string;
  readonly ds: string | null;
  readonly keys: string | null;
  readonly foreignKeys: string | null;
  readonly missing: string | null;
}

/** The living domain of a name, whosever it is. @throws ServiceError `not-found` */
export async function getZoneNamed(db: Database, reference: string): Promise<NamedZone> {
  const name = `${reference.toLowerCase().replace(/\.$/, '')}.`;
  const zone = await findZoneNamed(db, name);
  if (zone === undefined) throw new ServiceError('not-found', `there is no domain ${name}`);
  return zone;
}

export async function showDnssec(db: Database, zone: NamedZone): Promise<ShownDnssec> {
  const { state = 'unsigned', ds, keys, foreignKeys, missing } = await getZoneDnssec(db, zone);
  const dsTexts = ds.map(({ keyTag, algorithm, digestType, digest }) =>
    [keyTag, algorithm, digestType, digest.toUpperCase()].join(' '),
  );
  const keyTexts = keys.map((key) => `${key.keyTag} (algorithm ${key.algorithm}, ${key.state})`);
  const foreign = foreignKeys.map((key) => `${key.keyTag} (${key.state})`);
  return {
    ...{ name: zone.name, tenantId: zone.tenantId, state },
    ds: dsTexts.join(', ') || null,
    keys: keyTexts.join(', ') || null,
    foreignKeys: foreign.join(', ') || null,
    missing: missing ?? null,
  };
}
