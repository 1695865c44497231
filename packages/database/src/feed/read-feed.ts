import type { Database } from '../connection.js';
import { type FeedLineage, findLineage } from './lineage.js';
import type { FeedHorizon } from './horizon.js';
import type { FeedPosition } from './position.js';

/** A zone as the database holds it, without its records. */
export interface FeedZone {
  readonly domainId: string;
  /** Canonical text: lower case, trailing dot. */
  readonly name: string;
  readonly email: string;
  readonly ttl: number;
  readonly serial: number;
  readonly recordCount: number;
}

/** A name whose zone changed since the position that was read from. */
export interface FeedChange {
  readonly name: string;
  /** The living zone of that name; undefined: there is none any more. */
  readonly zone: FeedZone | undefined;
}

/** A record as a nameserver takes it. */
export interface FeedRecord {
  readonly domainId: string;
  /** Canonical owner name, text. */
  readonly name: string;
  readonly type: string;
  /** null: the zone's default. */
  readonly ttl: number | null;
  /** Uncompressed wire form. */
  readonly rdata: Buffer;
}

/** The nameservers and the domain in which they stand. */
export interface FeedServers {
  /** Undefined until an operator has run bootstrap. */
  readonly domain:
    { name: string; email: string; serial: number; changedIn: FeedPosition } | undefined;
  /** In order; the first is MNAME of every zone. */
  readonly servers: readonly { name: string; ipv4: string | null; ipv6: string | null }[];
}

/** What one look at the database shows; everything in it belongs to one snapshot. */
export interface FeedReading {
  /**
   * From where to read next time. When it lies before `since`, another server answers than before (a standby
   * further behind, a restored backup), with changes of its own: then only reading from FEED_START shows all.
   */
  readonly position: FeedPosition;
  /**
   * Of the server that answered. When it is another than before, positions say nothing: read from FEED_START.
   * Undefined where the server does not tell.
   */
  readonly lineage: FeedLineage | undefined;
  /** Exactly what it shows: `position` lies before the slowest of the transactions that were under way. */
  readonly horizon: FeedHorizon;
  readonly servers: FeedServers;
  readonly changes: readonly FeedChange[];
  /**
   * The records of the given zones, zone after zone, in batches: no zone is ever split between two, and one
   * without records does not occur. To be used while `apply` runs.
   */
  readonly records: (domainIds: readonly string[]) => AsyncIterable<readonly FeedRecord[]>;
}

/** How many rows one batch of records may bring, about; a larger zone comes in a batch of its own. */
const BATCH_RECORDS = 20_000;

/**
 * Reads what changed since `since`, in one read-only snapshot, on a primary or on a standby. Reading the same
 * change twice is normal; `apply` must not mind.
 */
export async function readFeed<T>(
  db: Database,
  since: FeedPosition,
  apply: (reading: FeedReading) => Promise<T>,
): Promise<T> {
  return await db.transaction(
    async (trx) => {
      const lineage = await findLineage(trx);
      const { position, horizon } = await findPlace(trx);
      const changes = await listChanges(trx, since);
      const servers = await readServers(trx);
      const sizes = new Map(
        changes.flatMap(({ zone }) =>
          zone === undefined ? [] : [[zone.domainId, zone.recordCount]],
        ),
      );
      return await apply({
        position,
        lineage,
        horizon,
        servers,
        changes,
        records: (domainIds) => readRecords(trx, domainIds, sizes),
      });
    },
    { isolationLevel: 'repeatable read', readOnly: true },
  );
}

/**
 * Where the snapshot of this transaction stands. On a standby PostgreSQL leaves out which transactions were under way
 * (pg_current_snapshot takes them for finished), so there nothing from the oldest of them on counts as shown.
 */
async function findPlace(trx: Database): Promise<{ position: FeedPosition; horizon: FeedHorizon }> {
  const { rows } = await trx.raw<{ rows: { position: string; horizon: string }[] }>(
    `select here.position::text,
            case when pg_is_in_recovery() then format('%s:%s:', here.position, here.position)
                 else here.horizon::text end as horizon
       from (select pg_snapshot_xmin(pg_current_snapshot()) as position, pg_current_snapshot() as horizon) as here`,
  );
  const [row] = rows;
  if (row === undefined) throw new Error('select returned no row');
  return row;
}

interface ChangeRow {
  changed_name: string;
  id: string | null;
  email: string;
  ttl: number;
  serial: number;
  record_count: number;
}

async function listChanges(trx: Database, since: FeedPosition): Promise<FeedChange[]> {
  // By name and not by row: a name that was deleted and made again has a tombstone and a living row.
  const { rows } = await trx.raw<{ rows: ChangeRow[] }>(
    `select changed.name as changed_name, living.id, living.email, living.ttl, living.serial, living.record_count
       from (select distinct d.name from dns.domains as d where d.changed_in >= ?::xid8) as changed
       left join dns.domains as living on living.name = changed.name and living.deleted_at is null
      order by changed.name`,
    [since],
  );
  return rows.map((row) => ({
    name: row.changed_name,
    zone:
      row.id === null
        ? undefined
        : {
            domainId: row.id,
            name: row.changed_name,
            email: row.email,
            ttl: row.ttl,
            serial: row.serial,
            recordCount: row.record_count,
          },
  }));
}

async function readServers(trx: Database): Promise<FeedServers> {
  const { rows: domains } = await trx.raw<{
    rows: { name: string; email: string; serial: number; changedIn: string }[];
  }>(
    `select n.name, n.email, n.serial, n.changed_in::text as "changedIn" from dns.nameserver_domain as n`,
  );
  const { rows: servers } = await trx.raw<{
    rows: { name: string; ipv4: string | null; ipv6: string | null }[];
  }>(
    `select s.name, host(s.ipv4) as ipv4, host(s.ipv6) as ipv6 from dns.servers as s order by s.position`,
  );
  return { domain: domains[0], servers };
}

async function* readRecords(
  trx: Database,
  domainIds: readonly string[],
  sizes: ReadonlyMap<string, number>,
): AsyncIterable<readonly FeedRecord[]> {
  for (const batch of batchesOf(domainIds, sizes)) {
    const { rows } = await trx.raw<{ rows: FeedRecord[] }>(
      `select r.domain_id as "domainId", r.name, r.type, r.ttl, r.rdata
         from dns.records as r
        where r.domain_id = any(?::uuid[])
        order by r.domain_id, r.name, r.type, r.rdata_digest`,
      [batch],
    );
    yield rows;
  }
}

function* batchesOf(
  domainIds: readonly string[],
  sizes: ReadonlyMap<string, number>,
): Iterable<string[]> {
  let batch: string[] = [];
  let records = 0;
  for (const id of domainIds) {
    const size = sizes.get(id) ?? 0;
    if (batch.length > 0 && records + size > BATCH_RECORDS) {
      yield batch;
      batch = [];
      records = 0;
    }
    batch.push(id);
    // A zone without records still costs a place in the array.
    records += size + 1;
  }
  if (batch.length > 0) yield batch;
}
