import type { Database } from '@zonewright/database';
import { ServiceError, systemClock } from '@zonewright/service-kit';
import { type DnssecWork, findZoneNamed, getZoneDnssec, type Zone } from '@zonewright/zones';

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

/** Does something on behalf of a domain's tenant, by the rules of the API, and tells how the domain is then. */
export async function changeDnssec(
  db: Database,
  reference: string,
  change: (work: DnssecWork, zone: NamedZone) => Promise<unknown>,
): Promise<ShownDnssec> {
  return await db.transaction(async (trx) => {
    const zone = await getZoneNamed(trx, reference);
    const caller = { userId: 'operator', tenantId: zone.tenantId, roles: [] };
    await change({ trx, caller, clock: systemClock, isDryRun: false }, zone);
    return await showDnssec(trx, zone);
  });
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
