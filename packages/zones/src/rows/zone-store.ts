import { type Database, secondaryState } from '@zonewright/database';
import { ancestorsOf } from '@zonewright/dns-records';
import { mayUseZone, usableZones } from './key-rules.js';
import type { Viewer } from '../request/caller.js';
import type { MxTargetCheck } from '../request/rules.js';
import { isBehindMarker, orderBy, type SortOrder } from './listing.js';
import { asTimestamp, type Timestamp } from './statements.js';
import type { SigningState } from './signing-state.js';
import type { LockedZone, Zone } from './zone.js';

export interface ZoneRow {
  id: string;
  tenant_id: string;
  name: string;
  display_name: string | null;
  email: string;
  ttl: number;
  description: string | null;
  serial: number;
  record_count: number;
  version: number;
  created_at: Timestamp;
  updated_at: Timestamp | null;
}

export interface LockedZoneRow extends ZoneRow {
  now: Timestamp;
  max_records: number | null;
  max_domain_recordsets: number | null;
  max_recordset_records: number | null;
  mx_target_check: MxTargetCheck | null;
  apex_version: number;
  disabled_count: number;
  signing_state?: SigningState | null;
}

export const ZONE_COLUMNS = `d.id, d.tenant_id, d.name, d.display_name, d.email, d.ttl, d.description, d.serial,
  d.record_count, d.version, ${asTimestamp('d.created_at')} as created_at, ${asTimestamp('d.updated_at')} as updated_at`;

export function fromRow(row: ZoneRow): Zone {
  return {
    id: row.id,
    tenantId: row.tenant_id,
    name: row.name,
    displayName: row.display_name ?? row.name,
    email: row.email,
    ttl: row.ttl,
    description: row.description,
    serial: row.serial,
    recordCount: row.record_count,
    version: row.version,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

/** Returns the existing zone with this id, if the viewer may see it. */
export async function findZone(
  db: Database,
  viewer: Viewer,
  id: string,
): Promise<Zone | undefined> {
  const { rows } = await db
    .raw<{ rows: ZoneRow[] }>(
      `select ${ZONE_COLUMNS} from dns.domains as d where d.id = ? and d.tenant_id = ? and d.deleted_at is null`,
      [id, viewer.tenantId],
    )
    .options({ name: 'find-zone' });
  const [row] = rows;
  return row !== undefined && mayUseZone(viewer, row) ? fromRow(row) : undefined;
}

/** Lists the existing zones with these ids, whoever owns them. */
export async function listZonesById(db: Database, ids: readonly string[]): Promise<Zone[]> {
  const { rows } = await db
    .raw<{ rows: ZoneRow[] }>(
      `select ${ZONE_COLUMNS} from dns.domains as d where d.id = any(?::uuid[]) and d.deleted_at is null`,
      [[...ids]],
    )
    .options({ name: 'list-zones-by-id' });
  return rows.map(fromRow);
}

/**
 * Finds a zone as findZone does, and locks it until the transaction ends. All writers of a zone and its records call
 * it. `now` is the time of the lock. The function now() would return the start of the transaction, before it waited
 * for the lock. Objects that are created later must have a later time, or paging would miss them.
 */
export async function findZoneForChange(
  trx: Database,
  viewer: Viewer,
  id: string,
): Promise<LockedZone | undefined> {
  const { rows } = await trx
    .raw<{ rows: LockedZoneRow[] }>(
      `select ${LOCKED_ZONE_COLUMNS},
              (select z.state from dns.zone_dnssec as z where z.domain_id = d.id) as signing_state
         from dns.domains as d left join dns.quotas as q on q.tenant_id = d.tenant_id
        where d.id = ? and d.tenant_id = ? and d.deleted_at is null
        for no key update of d`,
      [id, viewer.tenantId],
    )
    .options({ name: 'find-zone-for-change' });
  const [row] = rows;
  return row !== undefined && mayUseZone(viewer, row) ? toLockedZone(row) : undefined;
}

/** The columns for a query with a row `d` and its tenant's quota `q`. */
export const LOCKED_ZONE_COLUMNS = `${ZONE_COLUMNS}, ${asTimestamp('clock_timestamp()')} as now,
              q.max_domain_records as max_records, q.max_domain_recordsets, q.max_recordset_records, q.mx_target_check,
              d.apex_version,
              d.disabled_count`;

export function toLockedZone(row: LockedZoneRow): LockedZone {
  return {
    ...fromRow(row),
    now: row.now,
    maxRecords: row.max_records,
    maxRecordsets: row.max_domain_recordsets,
    maxRrsetRecords: row.max_recordset_records,
    mxTargetCheck: row.mx_target_check,
    disabledCount: row.disabled_count,
    signingState: row.signing_state ?? null,
    secondary: secondaryState(row.apex_version),
  };
}

/** Prevents changes of a zone and its records until the transaction ends. Returns false if the zone does not exist. */
export async function lockZoneAsItIs(trx: Database, id: string): Promise<boolean> {
  const { rows } = await trx.raw<{ rows: unknown[] }>(
    'select d.id from dns.domains as d where d.id = ? and d.deleted_at is null for share',
    [id],
  );
  return rows.length > 0;
}

/**
 * Prevents changes of zones and their records until the transaction ends, without waiting for others.
 *
 * @returns the zones that no other transaction is changing
 */
export async function shareLockZones(trx: Database, ids: readonly string[]): Promise<string[]> {
  const { rows } = await trx.raw<{ rows: { id: string }[] }>(
    `select d.id from dns.domains as d where d.id = any(?::uuid[]) and d.deleted_at is null
      order by d.id for share skip locked`,
    [[...ids]],
  );
  return rows.map(({ id }) => id);
}

/** Returns the existing zone with this name, whoever owns it. */
export async function findZoneNamed(
  db: Database,
  name: string,
): Promise<Pick<Zone, 'id' | 'tenantId' | 'name'> | undefined> {
  const [zone] = await listZonesNamed(db, [name]);
  return zone;
}

/** Returns the existing zone with the longest name that contains a name, whoever owns it. */
export async function findZoneAround(
  db: Database,
  name: string,
): Promise<Pick<Zone, 'id' | 'tenantId' | 'name'> | undefined> {
  const around = await listZonesNamed(db, [name, ...ancestorsOf(name)]);
  return around.toSorted((one, other) => other.name.length - one.name.length)[0];
}

/** Lists the existing zones with these names by id, whoever owns them. */
export async function listZonesNamed(
  db: Database,
  names: readonly string[],
): Promise<Pick<Zone, 'id' | 'tenantId' | 'name'>[]> {
  const { rows } = await db.raw<{ rows: Pick<ZoneRow, 'id' | 'tenant_id' | 'name'>[] }>(
    `select d.id, d.tenant_id, d.name from dns.domains as d
      where d.name = any(?::text[]) and d.deleted_at is null
      order by d.id`,
    [[...names]],
  );
  return rows.map(({ id, tenant_id: tenantId, name }) => ({ id, tenantId, name }));
}

/**
 * SQL condition that `d` is below a name. Reversed names that end in ".example.com." are a range, since "/" follows
 * ".".
 */
export const isBelow = (name: string) =>
  `reverse(d.name) collate "C" >= reverse(${name}) || '.' and reverse(d.name) collate "C" < reverse(${name}) || '/'`;

/** Returns an existing zone below `name`. With `exceptTenant`, it belongs to another tenant. */
export async function findZoneBelow(
  db: Database,
  name: string,
  exceptTenant?: string,
): Promise<string | undefined> {
  const { rows } = await db.raw<{ rows: { name: string }[] }>(
    `select d.name from dns.domains as d
      where ${isBelow(':name')} and d.deleted_at is null
        ${exceptTenant === undefined ? '' : 'and d.tenant_id <> :exceptTenant'}
      limit 1`,
    { name, exceptTenant: exceptTenant ?? '' },
  );
  return rows[0]?.name;
}

/**
 * Lists existing zones with the version of their managed apex records: the zones in `names`, or all zones below `name`
 * if `names` is undefined.
 */
export async function listZonesBelow(
  db: Database,
  name: string,
  names: readonly string[] | undefined,
): Promise<{ readonly name: string; readonly apexVersion: number }[]> {
  const { rows } = await db.raw<{ rows: { name: string; apexVersion: number }[] }>(
    `select d.name, d.apex_version as "apexVersion"
       from dns.domains as d
      where ${names === undefined ? isBelow(':name') : 'd.name = any(cast(:names as text[]))'} and d.deleted_at is null`,
    { name, names: [...(names ?? [])] as unknown as string },
  );
  return rows;
}

export async function countZones(db: Database, tenantId: string): Promise<number> {
  const { rows } = await db.raw<{ rows: { count: number }[] }>(
    'select count(*) as count from dns.domains as d where d.tenant_id = ? and d.deleted_at is null',
    [tenantId],
  );
  return rows[0]?.count ?? 0;
}

/** Returns the highest serial that any zone with this name has ever had, including deleted ones. */
export async function findHighestSerial(db: Database, name: string): Promise<number | undefined> {
  const { rows } = await db.raw<{ rows: { serial: number | null }[] }>(
    'select max(d.serial) as serial from dns.domains as d where d.name = ?',
    [name],
  );
  return rows[0]?.serial ?? undefined;
}

/** Used in conditions on `d`. */
export const HAS_TEXT =
  'and (strpos(d.name, lower(:q)) > 0 or strpos(lower(d.description), lower(:q)) > 0)';

const SORT_COLUMNS = {
  created_at: (alias: string) => `${alias}.created_at`,
  updated_at: (alias: string) => `coalesce(${alias}.updated_at, ${alias}.created_at)`,
  name: (alias: string) => `${alias}.name`,
  ttl: (alias: string) => `${alias}.ttl`,
  serial: (alias: string) => `${alias}.serial`,
  record_count: (alias: string) => `${alias}.record_count`,
};
type DomainSortKey = keyof typeof SORT_COLUMNS;
const BY_CREATION: SortOrder<DomainSortKey> = { key: 'created_at', isDescending: false };

/**
 * Lists a page of the zones that the viewer may see, after the zone `marker`. The default order is by creation time.
 */
export async function listZones(
  db: Database,
  page: {
    readonly viewer: Viewer;
    readonly name: string | undefined;
    /** Part of a name or description, in any letter case. */
    readonly q?: string | undefined;
    readonly marker: string | undefined;
    readonly limit: number;
    readonly order?: SortOrder<DomainSortKey> | undefined;
  },
): Promise<Zone[]> {
  const { order = BY_CREATION } = page;
  const usable = usableZones(page.viewer);
  const { rows } = await db.raw<{ rows: ZoneRow[] }>(
    `select ${ZONE_COLUMNS} from dns.domains as d
      where d.tenant_id = :tenantId and d.deleted_at is null
        ${usable === undefined ? '' : 'and d.name = any(:usable::text[])'}
        ${page.name === undefined ? '' : 'and d.name = :name'}
        ${page.q === undefined ? '' : HAS_TEXT}
        ${
          page.marker === undefined
            ? ''
            : `and ${isBehindMarker(SORT_COLUMNS, order, { alias: 'd', table: 'dns.domains' })}`
        }
      order by ${orderBy(SORT_COLUMNS, order, 'd')}
      limit :limit`,
    {
      limit: page.limit,
      tenantId: page.viewer.tenantId,
      usable: [...(usable ?? [])],
      name: page.name ?? '',
      q: page.q ?? '',
      marker: page.marker ?? '',
    },
  );
  return rows.map(fromRow);
}

/** Whether one of these ids belongs to a zone of another tenant. */
export async function areSomeOfOthers(
  db: Database,
  tenantId: string,
  ids: readonly string[],
): Promise<boolean> {
  const { rows } = await db.raw<{ rows: { found: boolean }[] }>(
    'select exists (select 1 from dns.domains as d where d.id = any(?::uuid[]) and d.tenant_id <> ?) as found',
    [[...new Set(ids)], tenantId],
  );
  return rows[0]?.found === true;
}

/**
 * Returns the tenant's zone with this id, if it was deleted at most `days` ago; with `lock`, locked until the
 * transaction ends.
 */
export async function findTombstone(
  db: Database,
  {
    tenantId,
    id,
    days,
    lock = false,
  }: {
    readonly tenantId: string;
    readonly id: string;
    readonly days: number;
    readonly lock?: boolean;
  },
): Promise<Zone | undefined> {
  const { rows } = await db.raw<{ rows: ZoneRow[] }>(
    `select ${ZONE_COLUMNS} from dns.domains as d
      where d.id = ? and d.tenant_id = ? and d.deleted_at > now() - make_interval(days => ?)
      ${lock ? 'for no key update' : ''}`,
    [id, tenantId, days],
  );
  return rows[0] && fromRow(rows[0]);
}

/** Throws if zones cannot be read. */
export async function probeZones(db: Database): Promise<void> {
  await db.raw('select 1 from dns.domains limit 1');
}
