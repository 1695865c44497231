import type { Database } from '../connection/connection.js';
import { queryReturning, queryRows } from '../connection/query.js';

/** A tenant's secondary server, as nameservers need it (ADR 0032). */
export interface FeedPeer {
  readonly id: string;
  readonly networks: readonly string[];
  readonly notify: readonly { readonly address: string; readonly port: number }[];
  readonly hasCatalog: boolean;
  readonly catalogSerial: number;
  /** The absolute key name in lower case. */
  readonly keyName: string;
  readonly keyAlgorithm: string;
  readonly sealed: Buffer;
  readonly keyId: string;
  /**
   * The time of the peer's last change, as text; null if it has never changed. A request to notify it again changes it,
   * too.
   */
  readonly updatedAt: string | null;
}

/** Returns a version that stays the same until a peer changes, so that frequent queries cost little. */
export async function readPeersVersion(db: Database): Promise<string> {
  const { version } = await queryReturning<{ version: string }>(
    db,
    `select concat(count(*), ' ', sum(hashtextextended(concat(p.id, p.updated_at, p.catalog_serial), 0))) as version
       from dns.peers as p`,
  );
  return version;
}

export async function readPeers(db: Database): Promise<FeedPeer[]> {
  return await queryRows(
    db,
    `select p.id, p.networks, p.notify, p.has_catalog as "hasCatalog", p.catalog_serial as "catalogSerial",
            p.key_name as "keyName", p.key_algorithm as "keyAlgorithm", p.secret_sealed as sealed,
            p.secret_key_id as "keyId", p.updated_at::text as "updatedAt"
       from dns.peers as p`,
  );
}

/** SQL condition: peer `p` may transfer the domain `d`. */
const MAY_TAKE = `p.tenant_id = d.tenant_id and d.deleted_at is null and (p.all_domains or exists
  (select from dns.zone_peers as z where z.peer_id = p.id and z.domain_id = d.id))`;

/** Returns the peers that may transfer each of these zones. */
export async function readPeersOfZones(
  db: Database,
  names: readonly string[],
): Promise<{ readonly name: string; readonly peerId: string }[]> {
  return await queryRows(
    db,
    `select d.name, p.id as "peerId" from dns.domains as d join dns.peers as p on ${MAY_TAKE}
      where d.name = any(?::text[])`,
    [[...names]],
  );
}

/** Returns the first zones that a peer may transfer and whose current serials it is not known to have. */
export async function readZonesBehind(
  db: Database,
  peerId: string,
  limit: number,
): Promise<string[]> {
  const rows = await queryRows<{ readonly name: string }>(
    db,
    `select d.name from dns.domains as d join dns.peers as p on ${MAY_TAKE}
       left join dns.peer_status as s on s.peer_id = p.id and s.domain_id = d.id
      where p.id = ? and s.serial is distinct from d.serial order by d.name limit ?`,
    [peerId, limit],
  );
  return rows.map(({ name }) => name);
}

export async function mayPeerTransfer(
  db: Database,
  peerId: string,
  name: string,
): Promise<boolean> {
  const rows = await queryRows(
    db,
    `select from dns.domains as d join dns.peers as p on ${MAY_TAKE} where d.name = ? and p.id = ?`,
    [name, peerId],
  );
  return rows.length > 0;
}

/** Returns the zones that a peer's catalog lists. */
export async function readCatalog(
  db: Database,
  peerId: string,
): Promise<{ readonly id: string; readonly name: string }[]> {
  return await queryRows(
    db,
    `select d.id, d.name from dns.peers as p join dns.domains as d on ${MAY_TAKE}
      where p.id = ? order by d.id`,
    [peerId],
  );
}

/** The serial that a peer has transferred, or its response to NOTIFY. */
export interface PeerReport {
  readonly peerId: string;
  readonly zone: string;
  /** The serial that the peer transferred, or showed that it has. */
  readonly serial?: number | undefined;
  readonly notifiedSerial?: number | undefined;
  readonly notifyAnswer?: string | undefined;
  /** The reason why the peer did not get the zone. A later transfer removes it. */
  readonly problem?: string | undefined;
}

/**
 * Saves the reports of several nameservers: for each zone the latest serial is kept. A peer counts as notified if one
 * nameserver reached it, even if others did not.
 */
export async function savePeerReports(db: Database, reports: readonly PeerReport[]): Promise<void> {
  await db.raw(
    `insert into dns.peer_status as s (peer_id, domain_id, serial, asked_at, notified_serial, notify_answer, notified_at,
                                        problem, problem_at)
     select p.id, d.id, r.serial, case when r.serial is not null then now() end, r."notifiedSerial", r."notifyAnswer",
            case when r."notifiedSerial" is not null then now() end,
            r.problem, case when r.problem is not null then now() end
       from jsonb_to_recordset(cast(? as jsonb))
              as r ("peerId" uuid, zone text, serial bigint, "notifiedSerial" bigint, "notifyAnswer" text, problem text)
       join dns.peers as p on p.id = r."peerId"
       join dns.domains as d on d.name = r.zone and ${MAY_TAKE}
     on conflict on constraint peer_status_pkey do update
        set serial = greatest(s.serial, excluded.serial),
            asked_at = coalesce(excluded.asked_at, s.asked_at),
            notified_serial = greatest(s.notified_serial, excluded.notified_serial),
            notify_answer = case when excluded.notified_serial > coalesce(s.notified_serial, 0)
              or (excluded.notified_serial = s.notified_serial and s.notify_answer <> 'NOERROR')
              then excluded.notify_answer else s.notify_answer end,
            notified_at = coalesce(excluded.notified_at, s.notified_at),
            problem = case when excluded.problem is not null then excluded.problem
              when excluded.serial >= coalesce(s.serial, 0) then null else s.problem end,
            problem_at = coalesce(excluded.problem_at, s.problem_at)`,
    [JSON.stringify(reports)],
  );
}
