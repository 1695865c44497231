import {
  type Database,
  queryReturning,
  queryRow,
  queryRows,
  type SealedSecret,
} from '@zonewright/database';
import { isUuid, ServiceError } from '@zonewright/service-kit';
import { asTimestamp, type Timestamp } from '../rows/statements.js';
import type { Peer, PeerContent, PeerState } from './peer.js';

const COLUMNS = `p.id, p.name, p.networks, p.notify, p.has_catalog as "hasCatalog",
  case when not p.all_domains then
    (select coalesce(jsonb_agg(z.domain_id order by z.domain_id), '[]') from dns.zone_peers as z
      where z.peer_id = p.id)
  end as "zoneIds", p.key_name as "keyName", p.key_algorithm as "keyAlgorithm",
  ${asTimestamp('p.created_at')} as "createdAt", ${asTimestamp('p.updated_at')} as "updatedAt"`;

export async function listPeers(db: Database, tenantId: string): Promise<Peer[]> {
  return await queryRows(
    db,
    `select ${COLUMNS} from dns.peers as p where p.tenant_id = ? order by p.created_at, p.id`,
    [tenantId],
  );
}

export async function findPeer(
  db: Database,
  tenantId: string,
  id: string,
): Promise<Peer | undefined> {
  return await queryRow(
    db,
    `select ${COLUMNS} from dns.peers as p where p.tenant_id = ? and p.id = ?`,
    [tenantId, id],
  );
}

export async function countPeers(trx: Database, tenantId: string): Promise<number> {
  const { count } = await queryReturning<{ count: number }>(
    trx,
    'select count(*) as count from dns.peers as p where p.tenant_id = ?',
    [tenantId],
  );
  return count;
}

interface NewPeer extends PeerContent {
  readonly id: string;
  readonly tenantId: string;
  readonly keyName: string;
  readonly keyAlgorithm: string;
}

export async function insertPeer(
  trx: Database,
  peer: NewPeer,
  secret: SealedSecret,
): Promise<void> {
  const { id, tenantId, name, networks, notify, zoneIds, hasCatalog } = peer;
  await trx.raw(
    `insert into dns.peers (id, tenant_id, name, networks, notify, all_domains, has_catalog, key_name,
            key_algorithm, secret_sealed, secret_key_id)
     values (:id, :tenantId, :name, cast(:networks as jsonb), cast(:notify as jsonb), :isForAll, :hasCatalog,
            :keyName, :keyAlgorithm, :sealed, :keyId)`,
    {
      ...{ id, tenantId, name, hasCatalog, isForAll: zoneIds === null, ...secret },
      networks: JSON.stringify(networks),
      notify: JSON.stringify(notify),
      keyName: peer.keyName,
      keyAlgorithm: peer.keyAlgorithm,
    },
  );
}

/** Updates a peer. Its catalog may get other members. */
export async function updatePeer(trx: Database, id: string, content: PeerContent): Promise<void> {
  const { name, networks, notify, zoneIds, hasCatalog } = content;
  await trx.raw(
    `update dns.peers as p
        set name = :name, networks = cast(:networks as jsonb), notify = cast(:notify as jsonb),
            all_domains = :isForAll, has_catalog = :hasCatalog, catalog_serial = p.catalog_serial + 1,
            updated_at = clock_timestamp()
      where p.id = :id`,
    {
      ...{ id, name, hasCatalog, isForAll: zoneIds === null },
      networks: JSON.stringify(networks),
      notify: JSON.stringify(notify),
    },
  );
}

/** Sets the zones of the peer. Returns how many of them the tenant has. */
export async function replaceZonesOfPeer(
  trx: Database,
  id: string,
  tenantId: string,
  zoneIds: readonly string[],
): Promise<number> {
  await trx.raw('delete from dns.zone_peers as z where z.peer_id = ?', [id]);
  const rows = await queryRows(
    trx,
    `insert into dns.zone_peers (peer_id, domain_id)
     select cast(? as uuid), d.id from dns.domains as d
      where d.id = any(?::uuid[]) and d.tenant_id = ? and d.deleted_at is null
     returning domain_id`,
    [id, [...zoneIds], tenantId],
  );
  return rows.length;
}

/** Returns false if the tenant has no peer with this id. */
export async function deletePeer(trx: Database, tenantId: string, id: string): Promise<boolean> {
  const rows = await queryRows(
    trx,
    'delete from dns.peers as p where p.tenant_id = ? and p.id = ? returning p.id',
    [tenantId, id],
  );
  return rows.length > 0;
}

/** SQL condition: peer `p` may transfer zone `d`. */
const MAY_TAKE = `p.tenant_id = d.tenant_id and d.deleted_at is null and (p.all_domains or exists
  (select from dns.zone_peers as z where z.peer_id = p.id and z.domain_id = d.id))`;

/** SQL for the serial in the SOA of zone `d`. The SOA of a secondary zone is that of its primary. */
const SHOWN_SERIAL = `coalesce((select o.serial from dns.secondaries as o where o.domain_id = d.id), d.serial)`;

/** Lists all peers that may transfer a zone. */
export async function listPeerStates(db: Database, zoneId: string): Promise<PeerState[]> {
  return await queryRows(
    db,
    `select p.id as "peerId", p.name, s.serial, ${asTimestamp('s.asked_at')} as "askedAt",
            s.notified_serial as "notifiedSerial", s.notify_answer as "notifyAnswer",
            ${asTimestamp('s.notified_at')} as "notifiedAt", s.problem,
            case when s.serial < ${SHOWN_SERIAL}
              then extract(epoch from clock_timestamp() - coalesce(d.updated_at, d.created_at))::integer
              else s.serial * 0 end as "lagSeconds"
       from dns.domains as d join dns.peers as p on ${MAY_TAKE}
       left join dns.peer_status as s on s.peer_id = p.id and s.domain_id = d.id
      where d.id = ? order by p.created_at, p.id`,
    [zoneId],
  );
}

/** Returns the number of peers that have been behind with a zone for longer than the given time, and an example. */
export async function findLaggingPeers(
  db: Database,
  seconds: number,
): Promise<{ readonly count: number; readonly example: string | null }> {
  return await queryReturning(
    db,
    `select count(distinct p.id) as count, min(p.name || ' (' || d.name || ')') as example
       from dns.peer_status as s join dns.peers as p on p.id = s.peer_id
       join dns.domains as d on d.id = s.domain_id and ${MAY_TAKE}
      where s.serial < ${SHOWN_SERIAL}
        and coalesce(d.updated_at, d.created_at) < clock_timestamp() - make_interval(secs => ?)`,
    [seconds],
  );
}

/** Returns the number of peers that cannot transfer a zone for a reason of this service, and an example. */
export async function findRefusedPeers(
  db: Database,
): Promise<{ readonly count: number; readonly example: string | null }> {
  return await queryReturning(
    db,
    `select count(distinct p.id) as count, min(p.name || ' (' || d.name || '): ' || s.problem) as example
       from dns.peer_status as s join dns.peers as p on p.id = s.peer_id
       join dns.domains as d on d.id = s.domain_id and ${MAY_TAKE}
      where s.problem is not null`,
  );
}

/** Peer in a list for all tenants. */
export interface PeerProgress {
  readonly id: string;
  readonly tenantId: string;
  readonly name: string;
  /** Number of zones that the peer has requested or was notified of. */
  readonly zones: number;
  /** Number of these zones that are outdated on the peer. */
  readonly behind: number;
  readonly askedAt: Timestamp | null;
}

/**
 * Makes nameservers send NOTIFY to a peer again for the zones that it does not have. Returns false if there is no such
 * peer.
 */
export async function renotifyPeer(db: Database, id: string): Promise<boolean> {
  const rows = await queryRows(
    db,
    'update dns.peers as p set updated_at = clock_timestamp() where p.id = ? returning p.id',
    [id],
  );
  return rows.length > 0;
}

export async function listPeerProgress(db: Database): Promise<PeerProgress[]> {
  return await queryRows(
    db,
    `select p.id, p.tenant_id as "tenantId", p.name, count(d.id) as zones,
            count(*) filter (where s.serial < ${SHOWN_SERIAL}) as behind, ${asTimestamp('max(s.asked_at)')} as "askedAt"
       from dns.peers as p
       left join dns.peer_status as s on s.peer_id = p.id
       left join dns.domains as d on d.id = s.domain_id and d.deleted_at is null
      group by p.id order by p.tenant_id, p.created_at, p.id`,
  );
}

export interface PeerZone {
  readonly name: string;
  readonly serial: number;
  /** Serial that the peer has. Null if it never requested the zone. */
  readonly taken: number | null;
  readonly askedAt: Timestamp | null;
  readonly notifiedSerial: number | null;
  readonly notifyAnswer: string | null;
}

const MAX_LISTED = 10_000;

/** @throws ServiceError `not-found` if there is no such peer */
export async function listZonesOfPeer(db: Database, id: string): Promise<PeerZone[]> {
  const isThere = isUuid(id);
  const peer = isThere && (await queryRow(db, 'select from dns.peers as p where p.id = ?', [id]));
  if (!peer) throw new ServiceError('not-found', `there is no peer ${id}`);
  return await queryRows(
    db,
    `select d.name, ${SHOWN_SERIAL} as serial, s.serial as taken, ${asTimestamp('s.asked_at')} as "askedAt",
            s.notified_serial as "notifiedSerial", s.notify_answer as "notifyAnswer"
       from dns.peer_status as s join dns.domains as d on d.id = s.domain_id and d.deleted_at is null
      where s.peer_id = ? order by greatest(s.asked_at, s.notified_at) desc nulls last, d.name limit ${MAX_LISTED}`,
    [id],
  );
}
