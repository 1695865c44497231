import {
  type Database,
  type FeedApex,
  queryReturning,
  queryRow,
  queryRows,
  type SoaTimes,
} from '@zonewright/database';
import { asTimestamp, type Timestamp } from './statements.js';

/** Nameserver in the NS records of each zone. */
export interface Nameserver {
  readonly id: string;
  /** Canonical name with a trailing dot. */
  readonly name: string;
  /** Position in the list. The first server is MNAME. */
  readonly position: number;
  readonly ipv4: string | null;
  readonly ipv6: string | null;
  readonly createdAt: Date;
  readonly updatedAt: Date | null;
}

/** Properties of a nameserver that an operator sets. */
type NameserverDescription = Pick<Nameserver, 'name' | 'ipv4' | 'ipv6'>;

const COLUMNS = `s.id, s.name, s.position, host(s.ipv4) as ipv4, host(s.ipv6) as ipv6,
  s.created_at as "createdAt", s.updated_at as "updatedAt"`;

/** Nameserver in the DNS API (DNS API s2). */
interface Server {
  readonly id: string;
  readonly name: string;
  readonly ipv4: string | null;
  readonly ipv6: string | null;
  readonly createdAt: Timestamp;
  readonly updatedAt: Timestamp | null;
}

/** Lists all nameservers in order. Each serves every zone. */
export async function listServers(db: Database): Promise<Server[]> {
  return await queryRows<Server>(
    db,
    `select s.id, s.name, host(s.ipv4) as ipv4, host(s.ipv6) as ipv6,
            ${asTimestamp('s.created_at')} as "createdAt", ${asTimestamp('s.updated_at')} as "updatedAt"
       from dns.servers as s order by s.position`,
  );
}

export async function listNameservers(db: Database): Promise<Nameserver[]> {
  return await queryRows<Nameserver>(
    db,
    `select ${COLUMNS} from dns.servers as s order by s.position`,
  );
}

export async function findNameserver(db: Database, name: string): Promise<Nameserver | undefined> {
  return await queryRow<Nameserver>(
    db,
    `select ${COLUMNS} from dns.servers as s where s.name = ?`,
    [name],
  );
}

/** Adds a nameserver at the end of the list. */
export async function insertNameserver(
  db: Database,
  id: string,
  server: NameserverDescription,
): Promise<Nameserver> {
  return await queryReturning<Nameserver>(
    db,
    `insert into dns.servers as s (id, name, position, ipv4, ipv6)
     values (?, ?, (select coalesce(max(other.position), 0) + 1 from dns.servers as other), ?, ?)
     returning ${COLUMNS}`,
    [id, server.name, server.ipv4, server.ipv6],
  );
}

export async function updateNameserver(
  db: Database,
  id: string,
  server: NameserverDescription,
): Promise<Nameserver> {
  return await queryReturning<Nameserver>(
    db,
    `update dns.servers as s set name = ?, ipv4 = ?, ipv6 = ?, updated_at = now()
      where s.id = ? returning ${COLUMNS}`,
    [server.name, server.ipv4, server.ipv6, id],
  );
}

export async function deleteNameserver(db: Database, id: string): Promise<void> {
  await db.raw(`delete from dns.servers as s where s.id = ?`, [id]);
}

/** Deletes the reports of a nameserver, which uses its first label or its full name. @returns the number of rows */
export async function deleteNameserverStatus(db: Database, fullName: string): Promise<number> {
  const rows = await queryRows(
    db,
    `delete from dns.nameserver_status as s where s.name = ? or starts_with(?, s.name || '.') returning s.name`,
    [fullName, fullName],
  );
  return rows.length;
}

/**
 * Returns the managed records at the apex of a zone for its current serial (ADR 0025). Undefined for a secondary zone.
 */
export async function getZoneApex(db: Database, zoneId: string): Promise<FeedApex | undefined> {
  const row = await queryRow<{ servers: readonly string[] } & SoaTimes>(
    db,
    `select v.servers, v.soa_refresh as "refreshSeconds", v.soa_retry as "retrySeconds",
            v.soa_expire as "expireSeconds", v.soa_minimum as "minimumSeconds"
       from dns.domains as d join dns.apex_versions as v on v.version = d.apex_version
      where d.id = ?`,
    [zoneId],
  );
  if (row === undefined) return undefined;
  const { servers, ...soa } = row;
  return { servers, soa };
}
