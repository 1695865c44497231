import type { Database } from '@zonewright/database';
import { ancestorsOf } from '@zonewright/dns-records';
import { listRecordKeysAt, type RecordKey, type RecordOwner } from '../rows/record-store.js';
import { shareLockZones, listZonesNamed } from '../rows/zone-store.js';
import type { LockedZone } from '../rows/zone.js';
import { LocksOutdated, type UnitOfWork } from '../request/unit-of-work.js';
import { type FutureNames, indexByName } from '../checks/future-names.js';
import { namesThatAnswer } from '../checks/mail-target.js';

/** The number of names in one statement. */
const NAMES_PER_STATEMENT = 10_000;

/** The zone that contains a mail target. */
export interface HostingZone {
  readonly id: string;
  readonly tenantId: string;
}

/**
 * Reads the records that the checks of mail targets need, by target; targets that this service does not host have no
 * entry.
 *
 * Other zones of the project stay locked until the transaction ends, so that they cannot change. A lock on another
 * project's zone would prevent that project from changing it, so such a zone is read without a lock.
 *
 * @param own the zone's own records
 * @throws LocksOutdated if another transaction is changing one of these zones; they are then locked first when this
 * transaction runs again
 */
export async function readMailHosts(
  { trx, zonesToKeep }: Pick<UnitOfWork, 'trx' | 'zonesToKeep'>,
  zone: LockedZone,
  targets: readonly string[],
  own: FutureNames,
): Promise<ReadonlyMap<string, FutureNames>> {
  if (targets.length === 0) return new Map();
  const hosts = await findHostingZones(trx, targets);
  const others = [...hosts.values()].filter(({ id }) => id !== zone.id);
  const ofTenant = others.filter(({ tenantId }) => tenantId === zone.tenantId);
  await keepZones(trx, [...new Set(ofTenant.map(({ id }) => id))], zonesToKeep);
  const names = await readNames(trx, zone, hosts);
  return new Map(
    [...hosts].map(([target, { id }]): [string, FutureNames] => [
      target,
      id === zone.id ? own : (names.get(id) ?? new Map()),
    ]),
  );
}

/** Locks zones without waiting: all transactions lock zones by id, and the changed zone is locked already. */
async function keepZones(
  trx: Database,
  ids: readonly string[],
  zonesToKeep: Set<string>,
): Promise<void> {
  if (ids.length === 0) return;
  const kept = new Set(await shareLockZones(trx, ids));
  if (kept.size === ids.length) return;
  for (const id of ids) zonesToKeep.add(id);
  throw new LocksOutdated();
}

async function readNames(
  trx: Database,
  zone: LockedZone,
  hosts: ReadonlyMap<string, HostingZone>,
): Promise<ReadonlyMap<string, FutureNames>> {
  const others = [...hosts].filter(([, { id }]) => id !== zone.id);
  const byZone = new Map(others.map(([, { id }]): [string, RecordKey[]] => [id, []]));
  const places = (namesFor: (target: string) => string[]): RecordOwner[] =>
    others.flatMap(([target, { id }]) => namesFor(target).map((name) => ({ zoneId: id, name })));
  const found = [
    ...(await listKeys(trx, places(namesThatAnswer))),
    ...(await listKeys(trx, places(ancestorsOf), 'DNAME')),
  ];
  for (const key of found) byZone.get(key.zoneId)?.push(key);
  const names = new Map<string, FutureNames>();
  for (const [zoneId, keys] of byZone) names.set(zoneId, await indexByName(keys));
  return names;
}

async function listKeys(trx: Database, places: readonly RecordOwner[], type?: string) {
  const keys: (RecordKey & RecordOwner)[] = [];
  for (let from = 0; from < places.length; from += NAMES_PER_STATEMENT) {
    keys.push(
      ...(await listRecordKeysAt(trx, places.slice(from, from + NAMES_PER_STATEMENT), type)),
    );
  }
  return keys;
}

/** Returns the zone that contains each name: the one with the longest name among the candidates. */
export async function findHostingZones(
  trx: Database,
  names: readonly string[],
): Promise<Map<string, HostingZone>> {
  const candidates = new Set<string>();
  const zones = new Map<string, HostingZone>();
  const look = async () => {
    for (const zone of await listZonesNamed(trx, [...candidates])) zones.set(zone.name, zone);
    candidates.clear();
  };
  for (const name of names) {
    for (const each of [name, ...ancestorsOf(name)]) candidates.add(each);
    if (candidates.size >= NAMES_PER_STATEMENT) await look();
  }
  if (candidates.size > 0) await look();
  const hosts = new Map<string, HostingZone>();
  for (const name of names) {
    const host = [name, ...ancestorsOf(name)].find((each) => zones.has(each));
    const zone = host === undefined ? undefined : zones.get(host);
    if (zone !== undefined) hosts.set(name, zone);
  }
  return hosts;
}
