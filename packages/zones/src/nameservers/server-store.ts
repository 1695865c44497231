import type { Database } from '@zonewright/database';
import { asTimestamp, type Timestamp } from '../sql/timestamps.js';

/** An authoritative nameserver (DNS API s2). */
export interface Nameserver {
  readonly id: string;
  readonly name: string;
  readonly createdAt: Timestamp;
  readonly updatedAt: Timestamp | null;
}

/** All nameservers in their order; each serves every zone. */
export async function listServers(db: Database): Promise<Nameserver[]> {
  const { rows } = await db.raw<{ rows: Nameserver[] }>(
    `select s.id, s.name, ${asTimestamp('s.created_at')} as "createdAt", ${asTimestamp('s.updated_at')} as "updatedAt"
       from dns.servers as s order by s.position`,
  );
  return rows;
}

/** The name in which the nameservers stand; undefined until an operator has set it. */
export async function findNameserverDomain(db: Database): Promise<string | undefined> {
  const { rows } = await db.raw<{ rows: { name: string }[] }>(
    'select n.name from dns.nameserver_domain as n',
  );
  return rows[0]?.name;
}
