import type { Database } from '../connection/connection.js';
import {
  DATABASE_IDENTITY,
  type FeedDatabase,
  type FeedHorizon,
  type FeedLineage,
  type FeedPosition,
  findLineage,
  MAY_READ_TIMELINE,
} from './position.js';
import { CURRENT_SETTINGS, type ServiceSettings } from '../service-settings/service-settings.js';

/** The nameservers, and the domain that contains their names. All of it belongs to the serial of that domain. */
export interface FeedServers {
  /** Undefined until an operator has run bootstrap. */
  readonly domain:
    | { name: string; email: string; serial: number; changedIn: FeedPosition }
    | undefined;
  /** The servers in order; the first is MNAME. */
  readonly servers: readonly { name: string; ipv4: string | null; ipv6: string | null }[];
  /** Undefined if the database does not have them. */
  readonly settings?: ServiceSettings | undefined;
}

/** Everything about a reading that is not a zone. */
export interface FeedHead {
  readonly position: FeedPosition;
  readonly horizon: FeedHorizon;
  readonly log: FeedLog;
  readonly lineage: FeedLineage | undefined;
  readonly floor: FeedPosition | undefined;
  /** Undefined if the database has no identity. */
  readonly database: FeedDatabase | undefined;
  readonly servers: FeedServers;
}

/**
 * The positions up to which the write-ahead log had been written, and up to which it was on disk, in bytes. After a
 * crash, PostgreSQL assigns again the ids of transactions whose log was not on disk (rolled back, or committed without
 * waiting for it).
 */
export interface FeedLog {
  readonly inserted: number;
  readonly flushed: number;
}

/** The values of HEAD_COLUMNS. */
export interface HeadColumns {
  readonly position: string;
  readonly horizon: string;
  readonly log: FeedLog;
  readonly floor: string | null;
  readonly domain: FeedServers['domain'] | null;
  readonly servers: FeedServers['servers'];
}

/** SQL for the position and horizon of the statement's snapshot, and whether a standby took it. */
export const HERE = `
  select pg_snapshot_xmin(pg_current_snapshot()) as position, pg_current_snapshot() as horizon,
         pg_is_in_recovery() as is_standby`;

/**
 * Columns of a statement that calls HERE `here`. On a standby, pg_current_snapshot omits the transactions in progress,
 * as if they had finished. There, nothing from the oldest of them on counts as seen.
 */
export const HEAD_COLUMNS = `
         here.position::text as position,
         case when here.is_standby then format('%s:%s:', here.position, here.position)
              else here.horizon::text end as horizon,
         -- A standby replays only what is on its disk.
         case when here.is_standby then json_build_object('inserted', 0, 'flushed', 0)
              else json_build_object('inserted', pg_current_wal_insert_lsn() - '0/0',
                                     'flushed', pg_current_wal_flush_lsn() - '0/0') end as log,
         (select n.feed_floor::text from dns.nameserver_domain as n) as floor,
         (select json_build_object('name', n.name, 'email', n.email, 'serial', n.serial, 'changedIn', n.changed_in::text)
            from dns.nameserver_domain as n) as domain,
         (select coalesce(json_agg(json_build_object('name', s.name, 'ipv4', host(s.ipv4), 'ipv6', host(s.ipv6))
                                   order by s.position), '[]')
            from dns.servers as s) as servers`;

interface HeadRow extends HeadColumns {
  readonly mayAsk: boolean;
  readonly identity: FeedDatabase | null;
  readonly settings: ServiceSettings | null;
}

const HEAD = `
  select ${HEAD_COLUMNS}, ${MAY_READ_TIMELINE} as "mayAsk", ${DATABASE_IDENTITY} as identity, ${CURRENT_SETTINGS} as settings
    from (${HERE}) as here`;

/** Reads the position of this transaction's snapshot, and the list of nameservers in it. */
export async function readHead(trx: Database): Promise<FeedHead> {
  const { rows } = await trx.raw<{ rows: HeadRow[] }>(HEAD).options({ name: 'feed-head' });
  const [row] = rows;
  if (row === undefined) throw new Error('select returned no row');
  return toHead(row, {
    lineage: row.mayAsk ? await findLineage(trx) : undefined,
    database: row.identity ?? undefined,
    settings: row.settings ?? undefined,
  });
}

/** Values that are queried separately, because some servers or schemas do not have them. */
interface HeadRest extends Pick<FeedHead, 'lineage' | 'database'> {
  readonly settings: ServiceSettings | undefined;
}

export function toHead(
  { position, horizon, log, floor, domain, servers }: HeadColumns,
  { lineage, database, settings }: HeadRest,
): FeedHead {
  return {
    position,
    horizon,
    log,
    lineage,
    floor: floor ?? undefined,
    database,
    servers: { domain: domain ?? undefined, servers, settings },
  };
}
