import { type Database, isWithin, parseHorizon } from '@zonewright/database';
import { IS_TRANSFER } from '../rows/history-periods.js';
import { asTimestamp } from '../rows/statements.js';
import { AUTHOR } from './change-filter.js';
import { NAMES_LISTED, type ZoneChanges } from './step-store.js';

/** Changeset of a zone, with the owner of the zone. */
export interface ZoneChangeset extends ZoneChanges {
  readonly tenantId: string;
  readonly zoneId: string;
  readonly zoneName: string;
  readonly displayZoneName: string;
  /** Transaction as decimal text of an xid8. */
  readonly transaction: string;
}

/** Events since a position. */
export interface FeedPart {
  readonly position: EventPosition;
  /** Changesets in the order of their transactions, and for each zone by serial. */
  readonly steps: readonly ZoneChangeset[];
  /** False if there were too many changes to read them all. */
  readonly isWhole: boolean;
}

/** Maximum number of zones of all tenants in one query. */
const MAX_ZONES = 10_000;
/** Maximum number of changesets in the result. */
const MAX_STEPS = 1_000;
/** Maximum number of counted changes for one serial. An import has as many changes as records. */
const CHANGES_COUNTED = 10_000;
const CHANGES_NAMED = 20;

const isNew = (column: string) =>
  `not pg_visible_in_snapshot(${column}, cast(:since as pg_snapshot))`;

/**
 * SQL for new changesets, from the newest change of each zone back to the last one before the position. A writer holds
 * the lock of its zone, so serials are committed in order.
 */
const NEW_STEPS = `
  select z.tenant_id as "tenantId", z.id as "zoneId", z.name as "zoneName",
         z.display_name as "displayZoneName", c.changed_in::text as transaction,
         c.id, c.serial_before as "serialBefore", c.serial_after as "serialAfter", counts.counts, names.names,
         ${AUTHOR}, ${asTimestamp('c.changed_at')} as "changedAt"
    from zones as z
   cross join lateral (
     with recursive serials as (
       (select n.serial_after, n.changed_in from dns.zone_changes as n
         where n.domain_id = z.id order by n.serial_after desc limit 1)
       union all
       select older.serial_after, older.changed_in from serials as s
        cross join lateral (
          select n.serial_after, n.changed_in from dns.zone_changes as n
           where n.domain_id = z.id and n.serial_after < s.serial_after order by n.serial_after desc limit 1) as older
        where ${isNew('s.changed_in')})
     select s.serial_after from serials as s
      where ${isNew('s.changed_in')} and s.serial_after >= z.taken_with limit ${MAX_STEPS + 1}) as step
   cross join lateral (
     select * from dns.zone_changes as n where n.domain_id = z.id and n.serial_after = step.serial_after
      order by n.id limit 1) as c
   cross join lateral (
     select jsonb_object_agg(a.action, a.count) as counts
       from (select o.action, count(*)
               from (select n.action from dns.zone_changes as n
                      where n.domain_id = z.id and n.serial_after = step.serial_after limit ${CHANGES_COUNTED}) as o
              group by o.action) as a) as counts
   cross join lateral (
     select coalesce(jsonb_agg(n.name order by n.first), '[]') as names
       from (select o.name, min(o.id) as first
               from (select n.id, coalesce(n.after ->> 'name', n.before ->> 'name') as name from dns.zone_changes as n
                      where n.domain_id = z.id and n.serial_after = step.serial_after and n.record_id is not null
                      order by n.id limit ${CHANGES_NAMED}) as o
              group by o.name order by 2 limit ${NAMES_LISTED}) as n) as names
   limit ${MAX_STEPS + 1}`;

/** Reads the events of these tenants since a position in one snapshot of the database. */
export async function readChangesetFeed(
  db: Database,
  since: EventPosition,
  tenantIds: readonly string[],
): Promise<FeedPart> {
  const { rows } = await db.raw<{
    rows: { snapshot: string; is_ahead: boolean; looked: number; steps: ZoneChangeset[] }[];
  }>(
    `with recent as materialized (
       select d.id, d.tenant_id, d.name, coalesce(d.display_name, d.name) as display_name, d.changed_in from dns.domains as d
        where d.changed_in >= pg_snapshot_xmin(cast(:since as pg_snapshot))
        order by d.changed_in limit ${MAX_ZONES + 1}),
     zones as materialized (
       select r.id, r.tenant_id, r.name, r.display_name,
              coalesce((select c.serial_after from dns.zone_changes as c where c.domain_id = r.id and ${IS_TRANSFER}
                         order by c.serial_after desc limit 1), 0) as taken_with
         from recent as r
        where r.tenant_id = any(cast(:tenantIds as text[])) and ${isNew('r.changed_in')}
        limit ${MAX_STEPS + 1})
     select pg_current_snapshot()::text as snapshot,
            pg_snapshot_xmax(cast(:since as pg_snapshot)) > pg_snapshot_xmax(pg_current_snapshot()) as is_ahead,
            (select count(*) from recent)::integer as looked,
            (select coalesce(json_agg(s order by s.id), '[]') from (${NEW_STEPS}) as s) as steps`,
    { since, tenantIds: [...tenantIds] },
  );
  const [row] = rows;
  if (row === undefined) throw new Error('The statement returned no row.');
  const { snapshot, steps } = row;
  // A position ahead of the database is from another database, or from this one before it was restored.
  const isWhole = !row.is_ahead && row.looked <= MAX_ZONES && steps.length <= MAX_STEPS;
  return { position: positionAt(snapshot), steps: isWhole ? steps : [], isWhole };
}

/** Returns the position after all existing changes. */
export async function readFeedEnd(db: Database): Promise<EventPosition> {
  const { rows } = await db.raw<{ rows: { snapshot: string }[] }>(
    'select pg_current_snapshot()::text as snapshot',
  );
  return positionAt(rows[0]?.snapshot ?? '');
}

/** Position of a reader of events: a horizon of the feed, which the client stores. */
export type EventPosition = string;

const FORM = /^\d{1,19}:\d{1,19}:(?:\d{1,19}(?:,\d{1,19}){0,63})?$/;
/** Maximum number of open transactions in a position. If there are more, the position is before the slowest one. */
const MAX_UNDER_WAY = 64;
/** Upper limit of a transaction id in PostgreSQL. */
const MAX_TRANSACTION = 2n ** 63n;

/** Whether a text can be a position that was given to a reader. */
export function isEventPosition(text: string): boolean {
  if (!FORM.test(text)) return false;
  const { xmin, xmax, underWay } = parseHorizon(text);
  if (xmin === 0n || xmin > xmax || xmax >= MAX_TRANSACTION) return false;
  let last = xmin - 1n;
  for (const transaction of underWay) {
    if (transaction <= last || transaction >= xmax) return false;
    last = transaction;
  }
  return true;
}

/** Returns the position after the changes in a snapshot. If it would be too long, some later changes are repeated. */
function positionAt(snapshot: string): EventPosition {
  const { xmin, underWay } = parseHorizon(snapshot);
  return underWay.size <= MAX_UNDER_WAY ? snapshot : `${xmin}:${xmin}:`;
}

/**
 * Whether a reader who has received everything up to a position has received the changes of this transaction, a decimal
 * xid8.
 */
export function isVisibleAt(position: EventPosition, transaction: string): boolean {
  return isWithin(parseHorizon(position), BigInt(transaction));
}
