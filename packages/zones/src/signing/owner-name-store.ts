import { type Database, queryRows } from '@zonewright/database';
import { isSigningAlgorithm } from '@zonewright/dns-records/dnssec';
import { announcedKeys, type ZoneKey } from '../rows/signing-state.js';
import { isBelow } from '../rows/zone-store.js';

/** Lists owner names of a zone after a given one. The order is only suitable for paging. */
export async function listOwnerNames(
  db: Database,
  zoneId: string,
  after: string | null,
  limit: number,
): Promise<string[]> {
  const rows = await queryRows<{ name: string }>(
    db,
    `select r.name from dns.records as r where r.domain_id = ? and r.name > ? group by r.name order by r.name limit ?`,
    [zoneId, after ?? '', limit],
  );
  return rows.map(({ name }) => name);
}

/** Lists owner names of users' records below a name. */
export async function listOwnerNamesBelow(
  db: Database,
  zoneId: string,
  name: string,
  limit: number,
): Promise<string[]> {
  const rows = await queryRows<{ name: string }>(
    db,
    `select distinct r.name from dns.records as r where r.domain_id = ? and right(r.name, ?) = ? limit ?`,
    [zoneId, name.length + 1, `.${name}`, limit],
  );
  return rows.map((row) => row.name);
}

/** Lists the names of hosted zones below a name, including the nameserver domain. */
export async function listHostedBelow(db: Database, name: string): Promise<string[]> {
  const rows = await queryRows<{ name: string }>(
    db,
    `select d.name from dns.domains as d
      where ${isBelow('?')} and d.deleted_at is null
      union select n.name from dns.nameserver_domain as n where right(n.name, ?) = ?`,
    [name, name, name.length + 1, `.${name}`],
  );
  return rows.map((row) => row.name);
}

type AnnouncedKey = Pick<
  ZoneKey,
  'algorithm' | 'flags' | 'publicKey' | 'state' | 'dsFrom' | 'retireAt'
>;

/** Lists the keys for the DS of hosted children that their parents should have now. */
export async function listAnnouncedKeys(
  db: Database,
  zoneIds: readonly string[],
): Promise<ReadonlyMap<string, AnnouncedKey[]>> {
  const keys = new Map<string, AnnouncedKey[]>();
  if (zoneIds.length === 0) return keys;
  const rows = await queryRows<AnnouncedKey & { zoneId: string }>(
    db,
    `select k.domain_id as "zoneId", k.algorithm, k.flags, k.public_key as "publicKey", k.state, k.retire_at as "retireAt",
            k.ds_from as "dsFrom"
       from dns.zone_keys as k
      where k.domain_id = any(?::uuid[]) and k.state in ('active', 'foreign') order by k.key_tag`,
    [zoneIds],
  );
  for (const { zoneId, ...key } of rows) {
    if (isSigningAlgorithm(key.algorithm)) keys.set(zoneId, [...(keys.get(zoneId) ?? []), key]);
  }
  return new Map([...keys].map(([zoneId, all]) => [zoneId, announcedKeys(all)]));
}
