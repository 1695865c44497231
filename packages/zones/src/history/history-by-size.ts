import type { Database, RemovedBatch, RetentionRule } from '@zonewright/database';
import { removeChangesetsUpTo } from '../write/commit/retention-store.js';

const EVERY_MS = 60 * 1_000;
/** Share of the limit that remains, so that a busy domain is not checked every minute. */
const KEPT_SHARE = 0.75;

/** Domain whose oldest changes are being removed. */
interface Trimmed {
  readonly zoneId: string;
  /** Newest serial to remove. Null if there is none. */
  readonly cut: number | null;
  readonly keptOctets: number;
}

/**
 * Deletes the oldest changes of a domain while its history is larger than `maxOctets`. The last change is kept. The
 * size is counted from the journal later, so that writers need not count it.
 */
export function historyBySize(maxOctets: number): RetentionRule {
  let trimmed: Trimmed | undefined;
  // Each domain is checked once in a run: the last change alone may be too large.
  let looked: string | undefined;
  return {
    kind: 'changes-over-size',
    everyMs: EVERY_MS,
    removeBatch: async (trx) => {
      if (trimmed === undefined && (await countChanges(trx))) return MORE;
      trimmed ??= await chooseHistory(trx, maxOctets, looked);
      looked = trimmed?.zoneId;
      if (trimmed === undefined) return { removed: 0, isDone: true };
      const { zoneId, cut, keptOctets } = trimmed;
      const { removed, isDone } =
        cut === null ? NOTHING_LEFT : await removeChangesetsUpTo(trx, zoneId, cut);
      if (isDone) {
        await setHistorySize(trx, zoneId, keptOctets);
        trimmed = undefined;
      }
      return { removed, isDone: false };
    },
  };
}

const MORE: RemovedBatch = { removed: 0, isDone: false };
const NOTHING_LEFT: RemovedBatch = { removed: 0, isDone: true };

async function chooseHistory(
  trx: Database,
  maxOctets: number,
  after: string | undefined,
): Promise<Trimmed | undefined> {
  const zoneId = await findLargeHistory(trx, maxOctets, after);
  if (zoneId === undefined) return undefined;
  return { zoneId, ...(await findCut(trx, zoneId, maxOctets * KEPT_SHARE)) };
}

/**
 * SQL for the approximate size of a change on disk: its images as stored, its note, and the rest of the row with its
 * indexes.
 */
const OCTETS_OF_CHANGE = `(200 + coalesce(pg_column_size(c.before), 0) + coalesce(pg_column_size(c.after), 0)
  + coalesce(pg_column_size(c.note), 0))`;

const COUNTED_AT_ONCE = 5_000;
/** Maximum number of changes in the history of a domain, whatever their size is, so that reading them is bounded. */
const MAX_CHANGES = 200_000;

/**
 * Adds the next changes of the journal to the sizes of their domains. A change is not counted if its transaction
 * ended after the transaction of a later change. This is acceptable, because sizes only show which domains to check.
 *
 * @returns whether there are more
 */
async function countChanges(trx: Database): Promise<boolean> {
  const { rows } = await trx.raw<{ rows: { hasMore: boolean }[] }>(
    `with fresh as materialized (
       select c.id, c.domain_id, ${OCTETS_OF_CHANGE} as octets from dns.zone_changes as c
        where c.id > coalesce((select h.change_id from dns.history_counted as h), 0)
        order by c.id limit :limit
     ), added as (
       insert into dns.history_sizes as s (domain_id, octets)
       select f.domain_id, sum(f.octets) from fresh as f join dns.domains as d on d.id = f.domain_id
        group by f.domain_id
       on conflict (domain_id) do update set octets = s.octets + excluded.octets
     ), counted as (
       insert into dns.history_counted as h (change_id) select max(f.id) from fresh as f having count(*) > 0
       on conflict (is_only) do update set change_id = excluded.change_id
     )
     select count(*) = :limit as "hasMore" from fresh`,
    { limit: COUNTED_AT_ONCE },
  );
  return rows[0]?.hasMore === true;
}

/** Returns the next domain by id whose history is larger than `octets`. */
async function findLargeHistory(
  trx: Database,
  octets: number,
  after: string | undefined,
): Promise<string | undefined> {
  const { rows } = await trx.raw<{ rows: { id: string }[] }>(
    `select s.domain_id as id from dns.history_sizes as s
      where s.octets > :octets and (cast(:after as uuid) is null or s.domain_id > cast(:after as uuid))
      order by s.domain_id limit 1`,
    { octets, after: after ?? null },
  );
  return rows[0]?.id;
}

/** Reads a history from the newest change on, and returns the first serial that does not fit into `octets`. */
async function findCut(
  trx: Database,
  zoneId: string,
  octets: number,
): Promise<{ cut: number | null; keptOctets: number }> {
  const { rows } = await trx.raw<{ rows: { cut: number | null; keptOctets: number }[] }>(
    `with changes as materialized (
       select c.serial_after as serial, ${OCTETS_OF_CHANGE} as octets,
              row_number() over newest_first as place, sum(${OCTETS_OF_CHANGE}) over newest_first as total
         from dns.zone_changes as c where c.domain_id = :zoneId
       window newest_first as (order by c.serial_after desc, c.id desc)
        order by c.serial_after desc, c.id desc limit :most + 1
     ), cut as (
       select max(c.serial) as serial from changes as c join dns.domains as d on d.id = :zoneId
        where (c.total > :octets or c.place > :most) and c.serial < d.serial
     )
     select cut.serial as cut,
            (select cast(coalesce(sum(c.octets), 0) as bigint) from changes as c
              where cut.serial is null or c.serial > cut.serial) as "keptOctets"
       from cut`,
    { zoneId, octets: Math.floor(octets), most: MAX_CHANGES },
  );
  return rows[0] ?? { cut: null, keptOctets: 0 };
}

async function setHistorySize(trx: Database, zoneId: string, octets: number): Promise<void> {
  await trx.raw('update dns.history_sizes as s set octets = ? where s.domain_id = ?', [
    octets,
    zoneId,
  ]);
}
