import type { Database } from '../connection.js';
import type { FeedHorizon } from './horizon.js';
import { type FeedLineage, findLineage, MAY_ASK_LINEAGE } from './lineage.js';
import type { FeedPosition } from './position.js';
import type { FeedServers } from './read-feed.js';

/** Everything about a reading that is not a zone. */
interface FeedHead {
  readonly position: FeedPosition;
  readonly horizon: FeedHorizon;
  readonly lineage: FeedLineage | undefined;
  readonly servers: FeedServers;
}

interface HeadRow {
  readonly position: string;
  readonly horizon: string;
  readonly isStandby: boolean;
  readonly mayAsk: boolean;
  readonly domain: FeedServers['domain'] | null;
  readonly servers: FeedServers['servers'];
}

/**
 * In one statement, because six nameservers read it for each change. On a standby PostgreSQL leaves out which transactions
 * were under way (pg_current_snapshot takes them for finished), so there nothing from the oldest of them on counts as shown.
 */
const HEAD = `
  select here.position::text as position,
         case when here.is_standby then format('%s:%s:', here.position, here.position)
              else here.horizon::text end as horizon,
         here.is_standby as "isStandby",
         ${MAY_ASK_LINEAGE} as "mayAsk",
         (select json_build_object('name', n.name, 'email', n.email, 'serial', n.serial, 'changedIn', n.changed_in::text)
            from dns.nameserver_domain as n) as domain,
         (select coalesce(json_agg(json_build_object('name', s.name, 'ipv4', host(s.ipv4), 'ipv6', host(s.ipv6))
                                   order by s.position), '[]')
            from dns.servers as s) as servers
    from (select pg_snapshot_xmin(pg_current_snapshot()) as position, pg_current_snapshot() as horizon,
                 pg_is_in_recovery() as is_standby) as here`;

/** Where the snapshot of this transaction stands, and the list of nameservers in it. */
export async function readHead(trx: Database): Promise<FeedHead> {
  const { rows } = await trx.raw<{ rows: HeadRow[] }>(HEAD).options({ name: 'feed-head' });
  const [row] = rows;
  if (row === undefined) throw new Error('select returned no row');
  const { position, horizon, isStandby, mayAsk, domain, servers } = row;
  return {
    position,
    horizon,
    lineage: mayAsk ? await findLineage(trx, isStandby) : undefined,
    servers: { domain: domain ?? undefined, servers },
  };
}
