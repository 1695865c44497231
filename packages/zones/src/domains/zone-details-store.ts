import { type Database, queryRow, queryRows } from '@zonewright/database';
import { usableZones } from '../rows/key-rules.js';
import type { Viewer } from '../request/caller.js';
import { fromRow, HAS_TEXT, ZONE_COLUMNS, type ZoneRow } from '../rows/zone-store.js';
import type { Zone } from '../rows/zone.js';
import { asTimestamp, type Timestamp } from '../rows/statements.js';

/** Last change of a zone or its records, if the journal still contains it. */
export interface LastChange {
  readonly changedAt: Timestamp;
  readonly userId: string;
  readonly userName: string | null;
}

/** Lists the last change of each of these zones. */
export async function listLastChanges(
  db: Database,
  ids: readonly string[],
): Promise<ReadonlyMap<string, LastChange>> {
  const rows = await queryRows<LastChange & { readonly id: string }>(
    db,
    `select d.id, ${asTimestamp('c.changed_at')} as "changedAt", c.user_id as "userId", c.user_name as "userName"
       from unnest(cast(? as uuid[])) as d (id)
      cross join lateral (select c.changed_at, c.user_id, c.user_name from dns.zone_changes as c
                           where c.domain_id = d.id order by c.serial_after desc, c.id desc limit 1) as c`,
    [ids],
  );
  return new Map(rows.map((row) => [row.id, row]));
}

/** Deleted zone that can be restored. */
export interface DeletedZone extends Zone {
  readonly deletedAt: Timestamp;
  /** Latest time of its permanent removal. */
  readonly undeleteUntil: Timestamp;
}

interface DeletedQuery {
  readonly viewer: Viewer;
  readonly days: number;
  readonly name: string | undefined;
  /** Part of a name or description, in any letter case. */
  readonly q?: string | undefined;
}

/** Lists the tenant's zones that were deleted at most `days` ago, latest first, after the zone `marker`. */
export async function listDeletedZones(
  db: Database,
  query: DeletedQuery & { readonly marker: string | undefined; readonly limit: number },
): Promise<DeletedZone[]> {
  const { rows } = await db.raw<{
    rows: (ZoneRow & Pick<DeletedZone, 'deletedAt' | 'undeleteUntil'>)[];
  }>(
    `select ${ZONE_COLUMNS}, ${asTimestamp('d.deleted_at')} as "deletedAt",
            ${asTimestamp('(d.deleted_at + make_interval(days => :days))')} as "undeleteUntil"
       from dns.domains as d
      where ${conditionsOf(query)}
        ${
          query.marker === undefined
            ? ''
            : `and (d.deleted_at, d.id) <
                 (select m.deleted_at, m.id from dns.domains as m where m.id = :marker)`
        }
      order by d.deleted_at desc, d.id desc
      limit :limit`,
    { ...bindingsOf(query), limit: query.limit, marker: query.marker ?? '' },
  );
  return rows.map((row) => ({
    ...fromRow(row),
    deletedAt: row.deletedAt,
    undeleteUntil: row.undeleteUntil,
  }));
}

export async function countDeletedZones(db: Database, query: DeletedQuery): Promise<number> {
  const { rows } = await db.raw<{ rows: { count: number }[] }>(
    `select count(*) as count from dns.domains as d where ${conditionsOf(query)}`,
    bindingsOf(query),
  );
  return rows[0]?.count ?? 0;
}

function conditionsOf({ viewer, name, q }: DeletedQuery): string {
  const conditions = [
    'd.tenant_id = :tenantId and d.deleted_at > now() - make_interval(days => :days)',
    ...(usableZones(viewer) === undefined ? [] : ['d.name = any(:usable::text[])']),
    ...(name === undefined ? [] : ['d.name = :name']),
  ];
  return `${conditions.join(' and ')} ${q === undefined ? '' : HAS_TEXT}`;
}

function bindingsOf({ viewer, days, name, q }: DeletedQuery) {
  return {
    tenantId: viewer.tenantId,
    days,
    usable: [...(usableZones(viewer) ?? [])],
    name: name ?? '',
    q: q ?? '',
  };
}

/** Returns the number of existing zones that a viewer may see. */
export async function countZonesOf(
  db: Database,
  { viewer, name, q }: Pick<DeletedQuery, 'viewer' | 'name' | 'q'>,
): Promise<number> {
  const usable = usableZones(viewer);
  const { rows } = await db.raw<{ rows: { count: number }[] }>(
    `select count(*) as count from dns.domains as d
      where d.tenant_id = :tenantId and d.deleted_at is null
        ${usable === undefined ? '' : 'and d.name = any(:usable::text[])'}
        ${name === undefined ? '' : 'and d.name = :name'}
        ${q === undefined ? '' : HAS_TEXT}`,
    { tenantId: viewer.tenantId, usable: [...(usable ?? [])], name: name ?? '', q: q ?? '' },
  );
  return rows[0]?.count ?? 0;
}

/** Usage of a tenant's quotas. */
interface Use {
  readonly domains: number;
  readonly records: number;
}

export async function getUse(db: Database, tenantId: string): Promise<Use> {
  const use = await queryRow<Use>(
    db,
    `select count(*) as domains, cast(coalesce(sum(d.record_count), 0) as bigint) as records
       from dns.domains as d where d.tenant_id = ? and d.deleted_at is null`,
    [tenantId],
  );
  return use ?? { domains: 0, records: 0 };
}
